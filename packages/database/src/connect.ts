import type { Connection } from './connection.js'
import type { ConnectOptions } from './dialect.js'

/** Connects to a database URL: `file:/absolute/path` is SQLite, `postgresql://…` PostgreSQL. Loads only that driver. */
export async function connect (url: string, options: ConnectOptions): Promise<Connection> {
  const { connect } = url.startsWith('file:') ? await import('./sqlite.js') : await import('./postgresql.js')
  return await connect(url, options)
}
