import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ConnectOptions } from './dialect.js'
import { whyNoFolder } from './folder.js'
import { findOtherOwner } from './owner.js'
import { TABLE_NAMES } from './stored-tables.js'
import { APPLIED_MIGRATIONS, compareMigrations, readMigrations, type Applied } from './migrate.js'

interface Inspection {
  tables: Array<{ name: string }>
  migrations: Applied[]
  readOnly: string | undefined
  ahead: number | undefined
  encoding?: string
}

/**
 * Inspects a database without changing it: its migrations, and whether it is writable.
 * @param url `file:/absolute/path` or `postgresql://…`
 * @param folder has `sqlite` and `postgresql`, each with a folder for every migration
 * @throws what the driver throws if the database cannot be reached or read
 */
export async function inspect (url: string, folder: URL, options: ConnectOptions) {
  const sqlite = url.startsWith('file:')
  const wanted = readMigrations(new URL(`${sqlite ? 'sqlite' : 'postgresql'}/`, folder))
  const path = url.slice('file:'.length)
  const isThere = !sqlite || existsSync(path)
  const noFolder = sqlite ? whyNoFolder(path, options.createsFolder) : undefined
  const found = sqlite ? await inspectFile(path, isThere) : await inspectServer(url, options)
  const { tables, migrations, readOnly, ahead, encoding = 'UTF8' } = found
  const otherOwner = findOtherOwner(wanted, tables.map(({ name }) => name))
  return { isThere, noFolder, ...compareMigrations(wanted, migrations), otherOwner, readOnly, ahead, encoding }
}

async function inspectFile (path: string, isThere: boolean): Promise<Inspection> {
  const readOnly = whyReadOnly(path, isThere)
  if (!isThere || readOnly !== undefined) return { tables: [], migrations: [], readOnly, ahead: undefined }
  const { default: Sqlite } = await import('better-sqlite3')
  const db = new Sqlite(path, { readonly: true, fileMustExist: true, timeout: 2_000 })
  try {
    const hasTable = db.prepare("SELECT 1 FROM sqlite_master WHERE name = '_prisma_migrations'").get() !== undefined
    // as: the columns that the statements select.
    const tables = db.prepare(TABLE_NAMES.sqlite).all() as Inspection['tables']
    const migrations = (hasTable ? db.prepare(APPLIED_MIGRATIONS).all() : []) as Inspection['migrations']
    return { tables, migrations, readOnly, ahead: undefined }
  } finally {
    db.close()
  }
}

function whyReadOnly (path: string, isThere: boolean): string | undefined {
  let folder = dirname(path)
  while (!existsSync(folder)) folder = dirname(folder)
  if (isThere && statSync(path).isDirectory()) return `${path} is a folder`
  for (const place of [folder, ...(isThere ? [path] : [])]) {
    try {
      accessSync(place, constants.W_OK)
    } catch {
      return `${place} is not writable for this user`
    }
  }
  return undefined
}

async function inspectServer (url: string, options: ConnectOptions): Promise<Inspection> {
  const [{ default: pg }, { clientConfig }] = [await import('pg'), await import('./postgresql.js')]
  const client = new pg.Client({ ...clientConfig(url, options), connectionTimeoutMillis: 3_000, query_timeout: 3_000 })
  try {
    await client.connect()
    // The other service's user cannot read its migrations, and does not need to.
    const { rows: [facts] } = await client.query(`SELECT has_table_privilege(to_regclass('_prisma_migrations'), 'SELECT') AS has_table,
      pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS read_only,
      extract(epoch FROM clock_timestamp())::float8 AS time,
      current_setting('server_encoding') AS encoding`)
    const ahead = Math.round(Number(facts.time) - Date.now() / 1_000)
    const readOnly = facts.standby ? 'it is a standby' : facts.read_only ? 'it is read-only' : undefined
    const { rows: tables } = await client.query(TABLE_NAMES.postgresql)
    const migrations = facts.has_table ? (await client.query(APPLIED_MIGRATIONS)).rows : []
    return { tables, migrations, readOnly, ahead, encoding: facts.encoding }
  } finally {
    await client.end().catch(() => undefined)
  }
}
