import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { ConnectOptions, Migrator } from './dialect.js'
import { migrate } from './migrate.js'
import { readNames, readRows, readTables, restartNumbers, writeRows, type Row, type Table } from './stored-tables.js'

const ROWS_PER_BATCH = 2_000

/** The copied tables. */
export type Copied = Array<{ table: string, rows: number, checksum: string }>

/** Receives the progress: `done` of `all` rows in this phase. */
export type Progress = (doing: 'copying' | 'comparing', done: number, all: number) => void

/** The copy was refused, and nothing was copied. The message has the reason and the remedy. */
export class CopyRefusal extends Error {
  override readonly name = 'CopyRefusal'
}

/**
 * Copies every row of a database to another, empty one. Atomic. Reads a snapshot of the source, compares counts and checksums,
 * and refuses if the source was changed meanwhile. Reads the list of tables from the database.
 * @param folder the migrations, which are applied to the target first
 * @throws CopyRefusal
 */
export async function copyDatabase (
  { from, to }: { from: string, to: string },
  folder: URL,
  options: ConnectOptions,
  progress: Progress
): Promise<Copied> {
  if (from === to) throw new CopyRefusal('Both addresses are the same database. Use another target.')
  if (from.startsWith('file:') && !existsSync(from.slice('file:'.length))) {
    throw new CopyRefusal(`There is no database at ${from}. Check the address to copy from.`)
  }
  await migrate(to, folder, options)
  const [source, target] = [await open(from, options), await open(to, options)]
  try {
    await source.exec(source.snapshot)
    await target.exec(target.begin)
    const tables = await match(source, target)
    let all = 0
    for (const { from: { name } } of tables) all += Number((await source.query(`SELECT count(*) AS rows FROM "${name}"`, []))[0]?.rows)

    let done = 0
    for (const table of tables) {
      for await (const rows of readRows(source, table.from, ROWS_PER_BATCH)) {
        await writeRows(target, table.to, rows)
        done += rows.length
        progress('copying', done, all)
      }
      await restartNumbers(target, table.to)
    }

    done = 0
    const seen = (rows: number) => {
      done += rows
      progress('comparing', done, 3 * all)
    }
    const before = await checksums(source, tables.map(table => table.from), seen)
    const after = await checksums(target, tables.map(table => table.to), seen)
    await source.exec('COMMIT')
    await source.exec(source.snapshot)
    const now = await checksums(source, tables.map(table => table.from), seen)
    for (const [index, { table, rows, checksum }] of before.entries()) {
      if (after[index]?.checksum !== checksum) {
        throw new CopyRefusal(
          `The copy of ${table} differs from the original: ${after[index]?.rows} rows of ${rows}. Nothing was copied. Please report this.`
        )
      }
      if (now[index]?.checksum !== checksum) {
        throw new CopyRefusal(`${table} was changed while it was copied. Nothing was copied. Stop the service and copy again.`)
      }
    }
    await target.exec('COMMIT')
    return after
  } finally {
    // Closing rolls back.
    await source.close()
    await target.close()
  }
}

async function open (url: string, options: ConnectOptions): Promise<Migrator> {
  const { openMigrator } = url.startsWith('file:') ? await import('./sqlite.js') : await import('./postgresql.js')
  return await openMigrator(url, options)
}

/** Pairs the tables of both databases, referenced ones first. @throws CopyRefusal if they differ, or the target has rows */
async function match (source: Migrator, target: Migrator): Promise<Array<{ from: Table, to: Table }>> {
  if (await isSame(source, target)) throw new CopyRefusal('Both addresses are the same database. Use another target.')
  const { migrations, names } = await readNames(source)
  const known = await readNames(target)
  const otherVersion = 'The source is of another version. Start this version of the service on it once, and copy again.'
  if (migrations !== known.migrations) throw new CopyRefusal(otherVersion)
  // The target was just migrated, so it has every table of this service.
  const foreign = names.filter(name => !known.names.includes(name))
  if (foreign.length > 0) {
    throw new CopyRefusal(`The source has tables of other programs: ${foreign.join(', ')}. Move them elsewhere, and copy again.`)
  }
  const [from, to] = [await readTables(source, names), await readTables(target, names)]
  if (shape(from) !== shape(to)) throw new CopyRefusal(otherVersion)
  for (const { name } of to) {
    const [found] = await target.query(`SELECT 1 AS found FROM "${name}" LIMIT 1`, [])
    if (found !== undefined) throw new CopyRefusal(`The target is not empty: ${name} has rows. Use an empty database.`)
  }
  const parents = await target.query(target.references, [])
  const depth = (name: string): number =>
    Math.max(0, ...parents.filter(({ child }) => child === name).map(({ parent }) => 1 + depth(`${parent}`)))
  return to.map(table => ({ from: from.find(({ name }) => name === table.name) ?? table, to: table }))
    .sort((a, b) => depth(a.to.name) - depth(b.to.name))
}

/** Whether both are the same PostgreSQL database: then the source sees the target's lock. */
async function isSame (source: Migrator, target: Migrator): Promise<boolean> {
  if (source.dialect !== 'postgresql' || target.dialect !== 'postgresql') return false
  const [holder] = await target.query('SELECT pg_backend_pid() AS pid', [])
  const held = await source.query(`SELECT 1 AS found FROM pg_locks JOIN pg_database ON pg_database.oid = database
    WHERE datname = current_database() AND locktype = 'advisory' AND pid = $1`, [holder?.pid])
  return held.length > 0
}

function shape (tables: readonly Table[]): string {
  return JSON.stringify(tables.map(({ name, columns }) => [name, ...[...columns.entries()].map(String).sort()]).sort())
}

async function checksums (connection: Migrator, tables: readonly Table[], seen: (rows: number) => void): Promise<Copied> {
  const sums: Copied = []
  for (const table of tables) {
    const names = [...table.columns.keys()].sort()
    let [rows, sum] = [0, 0n]
    for await (const batch of readRows(connection, table, ROWS_PER_BATCH)) {
      // A sum, because the databases may sort text differently.
      for (const row of batch) sum += digest(names, row)
      rows += batch.length
      seen(batch.length)
    }
    sums.push({ table: table.name, rows, checksum: `${rows}:${(sum % 2n ** 128n).toString(16)}` })
  }
  return sums
}

function digest (names: readonly string[], row: Row): bigint {
  return BigInt(`0x${createHash('sha256').update(JSON.stringify(names.map(name => row[name]))).digest('hex')}`)
}
