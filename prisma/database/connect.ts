import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fence } from './fence.js'

/** How long a statement or a connection may take before the database counts as away, in milliseconds. */
const PATIENCE = 1_500

/** How a connection is made. */
export interface ConnectOptions {
  /** What PostgreSQL shows in `pg_stat_activity`. */
  applicationName: string
  /** SQLite's `PRAGMA synchronous`: with `FULL` an acknowledged write survives power loss. */
  synchronous?: 'FULL' | 'NORMAL'
}

/** Prisma's driver for a database address: `file:/absolute/path` is SQLite, `postgresql://…` PostgreSQL. */
export function connect (url: string, options: ConnectOptions): SqlDriverAdapterFactory {
  if (url.startsWith('file:')) return new Sqlite(url, options)
  return new PrismaPg({
    connectionString: url,
    application_name: options.applicationName,
    connectionTimeoutMillis: PATIENCE,
    statement_timeout: PATIENCE,
    query_timeout: PATIENCE + 500
  })
}

class Sqlite extends PrismaBetterSqlite3 {
  readonly #pragmas: string

  constructor (url: string, { synchronous = 'FULL' }: ConnectOptions) {
    mkdirSync(dirname(url.slice('file:'.length)), { recursive: true })
    // The driver waits for a lock by blocking the thread; fence() waits without.
    super({ url, timeout: 5 })
    this.#pragmas = `PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON`
  }

  override async connect (): Promise<SqlDriverAdapter> {
    const adapter = await super.connect()
    await adapter.executeScript(this.#pragmas)
    return fence(adapter, PATIENCE)
  }
}
