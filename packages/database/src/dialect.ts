/** How a database is reached. */
export interface ConnectOptions {
  /** What PostgreSQL shows in `pg_stat_activity`. */
  readonly applicationName: string
  /** Connections to PostgreSQL, at most. */
  readonly poolSize: number
  /** How long to wait for a connection, in milliseconds. */
  readonly connectTimeout: number
  /** How long a statement may take, or wait for SQLite's lock, in milliseconds. */
  readonly statementTimeout: number
  /** Whether to encrypt the way to PostgreSQL, and to verify its certificate and name. */
  readonly tls: boolean
  /** PEM file of who signs that certificate; whom Node.js trusts if not given. */
  readonly tlsCa: string | undefined
  /** Whether PostgreSQL keeps statements under names; `auto`: unless a proxy stands before it. */
  readonly preparedStatements: 'auto' | 'on' | 'off'
  /** Whether PostgreSQL plans each statement that it keeps once, for any values: for statements whose best plan never depends on them. */
  readonly plansOnce?: boolean
  /** Is given the pool of connections to PostgreSQL, once there is one. */
  readonly onPool?: (pool: { readonly totalCount: number, readonly idleCount: number, readonly waitingCount: number }) => void
  /** SQLite's `PRAGMA synchronous`: with `FULL` an acknowledged write survives power loss. */
  readonly synchronous?: 'FULL' | 'NORMAL'
}

/** The one connection that migrates or copies. */
export interface Migrator {
  readonly dialect: 'sqlite' | 'postgresql'
  /** Runs a script of several statements. */
  exec (sql: string): unknown
  /** Runs one statement with `$1…` parameters. */
  query (sql: string, values: unknown[]): Promise<Array<Record<string, unknown>>>
  close (): unknown
  /** Keeps every other migrator out until the transaction ends. */
  begin: string
  /** Begins to read one moment of the database. */
  snapshot: string
  /** Selects `child` and `parent` of every foreign key that is checked while rows are added. */
  references: string
  /** The column types of Prisma's own table, where the dialects differ. */
  types: { time: string, key: string }
}
