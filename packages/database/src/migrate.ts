import { OtherBuildError, whyNotOurs } from '@frontdesk/service-kit/doctor/database'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import type { ConnectOptions, Migrator } from './dialect.js'
import { findOtherOwner } from './owner.js'
import { readTableNames } from './stored-tables.js'

/** How long to wait for another process before printing a notice. */
const LOCK_NOTICE_MS = 3_000

/**
 * Applies the missing migrations in one transaction. Maintains Prisma's `_prisma_migrations` table, so that `prisma migrate`
 * agrees. Concurrent processes wait for each other.
 * @param url `file:/absolute/path` or `postgresql://…`
 * @param folder has `sqlite` and `postgresql`, each with a folder for every migration
 * @returns whether the database was empty or did not exist
 * @throws if a migration fails, and then applies none; OtherBuildError if another build or service made the database
 */
export async function migrate (url: string, folder: URL, options: ConnectOptions): Promise<boolean> {
  const sqlite = url.startsWith('file:')
  const wanted = readMigrations(new URL(`${sqlite ? 'sqlite' : 'postgresql'}/`, folder))
  const { openMigrator } = sqlite ? await import('./sqlite.js') : await import('./postgresql.js')
  const connection = await openMigrator(url, options)
  try {
    await begin(connection)
    const otherOwner = findOtherOwner(wanted, await readTableNames(connection))
    // Before the first statement that only the owner is allowed to run.
    if (otherOwner !== undefined) assertOurs(url, { ...compareMigrations(wanted, []), otherOwner })
    await connection.exec(createMigrationsTable(connection.types))
    // as: the columns that the statement selects.
    const compared = compareMigrations(wanted, await connection.query(APPLIED_MIGRATIONS, []) as unknown as Applied[])
    assertOurs(url, compared)
    for (const { name, sql, checksum } of wanted.filter(({ name }) => compared.pending.includes(name))) {
      await connection.exec(sql)
      await connection.query(`INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
        VALUES ($1, $2, $3, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, 1)`, [randomUUID(), checksum, name])
    }
    await connection.exec('COMMIT')
    return compared.applied.length + compared.unknown.length === 0
  } finally {
    // Closing rolls back.
    await connection.close()
  }
}

/** @throws OtherBuildError */
function assertOurs (url: string, state: Parameters<typeof whyNotOurs>[1]): void {
  const why = whyNotOurs(url, state)
  if (why !== null) throw new OtherBuildError(`${why.sentence} ${why.remedy}`)
}

/** Waits for other migrators without a time limit, and prints a notice. */
async function begin (connection: Migrator): Promise<void> {
  const notice = "Waiting for another process that migrates this database. To find it: SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted"
  const timer = setTimeout(() => console.error(notice), LOCK_NOTICE_MS)
  try {
    await connection.exec(connection.begin)
  } finally {
    clearTimeout(timer)
  }
}

/** SQL of a database's migrations. */
export const APPLIED_MIGRATIONS = 'SELECT migration_name AS name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL'

/** A row of {@link APPLIED_MIGRATIONS}. */
export interface Applied { name: string, checksum: string }

/** Names this build's migrations that a database has, lacks, and has in another form; and the database's other migrations. */
export function compareMigrations (wanted: ReturnType<typeof readMigrations>, applied: readonly Applied[]) {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]))
  const names = (keep: (found: string | undefined, checksum: string) => boolean) =>
    wanted.filter(({ name, checksum }) => keep(checksums.get(name), checksum)).map(({ name }) => name)
  return {
    applied: names((found, checksum) => found === checksum),
    pending: names(found => found === undefined),
    edited: names((found, checksum) => found !== undefined && found !== checksum),
    unknown: applied.map(({ name }) => name).filter(name => !wanted.some(it => it.name === name))
  }
}

/** Reads the committed migrations of a dialect, in order. */
export function readMigrations (folder: URL) {
  return readdirSync(folder).sort()
    .map(name => ({ name, file: new URL(`${name}/migration.sql`, folder) }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => {
      const sql = readFileSync(file, 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })
}

function createMigrationsTable ({ time, key }: Migrator['types']) {
  return `CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id ${key} PRIMARY KEY NOT NULL, checksum TEXT NOT NULL, finished_at ${time}, migration_name TEXT NOT NULL, logs TEXT,
    rolled_back_at ${time}, started_at ${time} NOT NULL DEFAULT CURRENT_TIMESTAMP, applied_steps_count INTEGER NOT NULL DEFAULT 0)`
}
