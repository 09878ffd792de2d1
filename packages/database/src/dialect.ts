import type { DatabaseOptions } from './settings.js'

/** The database's settings, and what the service decides. */
export interface ConnectOptions extends DatabaseOptions {
  /** `application_name` of the connections, which PostgreSQL shows in `pg_stat_activity`. */
  readonly applicationName: string
  /** SQLite's `PRAGMA synchronous`: with `FULL`, acknowledged writes survive power loss. */
  readonly synchronous?: 'FULL' | 'NORMAL'
  /** For tests on SQLite: the clock of `strftime`, in milliseconds since 1970. */
  readonly clock?: () => number
}

/** A single connection, for migrations and copies. */
export interface Migrator {
  readonly dialect: 'sqlite' | 'postgresql'
  /** Runs a script of several statements. */
  exec (sql: string): unknown
  /** Runs one statement with `$1…` parameters. */
  query (sql: string, values: unknown[]): Promise<Array<Record<string, unknown>>>
  close (): unknown
  /** SQL that begins a transaction and locks out other migrators until its end. */
  begin: string
  /** SQL that begins a transaction that reads one snapshot of the database. */
  snapshot: string
  /** SQL that selects `child` and `parent` of every foreign key that is enforced while rows are inserted. */
  references: string
  /** Column types of Prisma's migrations table that differ between the dialects. */
  types: { time: string, key: string }
}
