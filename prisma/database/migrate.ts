import Sqlite from 'better-sqlite3'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import pg from 'pg'

/** The one connection that migrates. */
interface Connection {
  /** Runs a script of several statements. */
  exec (sql: string): unknown
  /** Runs one statement with `$1…` parameters. */
  query (sql: string, values: unknown[]): Promise<Array<Record<string, unknown>>>
  close (): unknown
  /** Keeps every other migrator out until the transaction ends. */
  begin: string
  /** The column types of Prisma's own table, where the dialects differ. */
  types: { time: string, key: string }
}

/** The lock that Prisma's own migrator takes. */
const ADVISORY_LOCK = 72707369

/**
 * Applies the committed migrations that the database lacks, all in one transaction, and keeps Prisma's
 * `_prisma_migrations` table, so that `prisma migrate deploy` and `status` agree with it.
 * Processes that start together wait for each other.
 * @param url `file:/absolute/path` or `postgresql://…`
 * @param folder holds `sqlite/migrations` and `postgresql/migrations`
 * @throws if a migration fails (nothing is applied then), or an applied one has been edited since
 */
export async function migrate (url: string, folder: URL): Promise<void> {
  const sqlite = url.startsWith('file:')
  const wanted = readMigrations(new URL(`${sqlite ? 'sqlite' : 'postgresql'}/migrations/`, folder))
  const connection = sqlite ? openSqlite(url) : await openPostgres(url)
  try {
    await connection.exec(connection.begin)
    await connection.exec(tableOfMigrations(connection.types))
    const applied = await connection.query('SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL', [])
    const checksums = new Map(applied.map(row => [row.migration_name, row.checksum]))
    for (const { name, sql, checksum } of wanted) {
      if (checksums.get(name) === checksum) continue
      if (checksums.has(name)) throw new Error(`Migration ${name} was edited after it had been applied. Restore it and write a new one.`)
      await connection.exec(sql)
      await connection.query(`INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
        VALUES ($1, $2, $3, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, 1)`, [randomUUID(), checksum, name])
    }
    await connection.exec('COMMIT')
  } finally {
    // Closing undoes what was not committed.
    await connection.close()
  }
}

/** The committed migrations of a dialect, in order. */
export function readMigrations (folder: URL) {
  return readdirSync(folder).sort()
    .map(name => ({ name, file: new URL(`${name}/migration.sql`, folder) }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => {
      const sql = readFileSync(file, 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })
}

function tableOfMigrations ({ time, key }: Connection['types']) {
  return `CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id ${key} PRIMARY KEY NOT NULL, checksum TEXT NOT NULL, finished_at ${time}, migration_name TEXT NOT NULL, logs TEXT,
    rolled_back_at ${time}, started_at ${time} NOT NULL DEFAULT CURRENT_TIMESTAMP, applied_steps_count INTEGER NOT NULL DEFAULT 0)`
}

function openSqlite (url: string): Connection {
  const path = url.slice('file:'.length)
  mkdirSync(dirname(path), { recursive: true })
  const db = new Sqlite(path, { timeout: 10_000 })
  return {
    exec: sql => db.exec(sql),
    async query (sql, values) {
      const statement = db.prepare(sql.replace(/\$\d/g, '?'))
      // as: better-sqlite3 gives rows as objects, whose shape it cannot know.
      return statement.reader ? statement.all(...values) as Array<Record<string, unknown>> : (statement.run(...values), [])
    },
    close: () => db.close(),
    begin: 'PRAGMA journal_mode = WAL; PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE',
    types: { time: 'DATETIME', key: 'TEXT' }
  }
}

async function openPostgres (url: string): Promise<Connection> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  await client.connect()
  return {
    exec: sql => client.query(sql),
    query: async (sql, values) => (await client.query(sql, values)).rows,
    close: () => client.end(),
    begin: `BEGIN; SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`,
    types: { time: 'TIMESTAMPTZ', key: 'VARCHAR(36)' }
  }
}
