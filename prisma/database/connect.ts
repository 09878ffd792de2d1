import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import type { ConnectOptions } from './dialect.js'

/** A way to the database: for Prisma's client, and below it for the statements that are worth it. Both share connections. */
export interface Connection {
  /** What Prisma's client is made with. */
  readonly adapter: SqlDriverAdapterFactory
  /** What the client asks through. */
  readonly driver: SqlDriverAdapter
  /** How many statements are worth having under way at once. */
  readonly lanes: number
}

/** Connects to a database address: `file:/absolute/path` is SQLite, `postgresql://…` PostgreSQL. Loads only the one. */
export async function connect (url: string, options: ConnectOptions): Promise<Connection> {
  const isSqlite = url.startsWith('file:')
  const { connect } = isSqlite ? await import('./sqlite.js') : await import('./postgresql.js')
  const factory = await connect(url, options)
  const driver = await factory.connect()
  const adapter = { provider: factory.provider, adapterName: factory.adapterName, connect: async () => driver }
  return { adapter, driver, lanes: isSqlite ? 1 : 2 }
}
