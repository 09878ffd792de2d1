import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import type { ConnectOptions } from './dialect.js'

/** Prisma's driver for a database address: `file:/absolute/path` is SQLite, `postgresql://…` PostgreSQL. Loads only the one. */
export async function connect (url: string, options: ConnectOptions): Promise<SqlDriverAdapterFactory> {
  const { connect } = url.startsWith('file:') ? await import('./sqlite.js') : await import('./postgresql.js')
  return await connect(url, options)
}
