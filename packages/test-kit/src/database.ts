import Sqlite from 'better-sqlite3'
import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Test } from 'tap'

/** Whether the tests of this process run on PostgreSQL; another process runs the same tests on SQLite. */
export const onPostgresql = process.env.TEST_DIALECT === 'postgresql'

/** An empty folder, removed with the test. */
export function temporaryFolder (t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A database of its own, removed with the test: a SQLite file, or a database on the server at TEST_DATABASE_URL. */
export async function temporaryDatabase (t: Test): Promise<string> {
  if (!onPostgresql) return sqliteFile(t)
  const { url, remove } = await temporaryPostgres()
  t.teardown(remove)
  return url
}

/**
 * Makes databases that `migrate` has prepared, each removed with its test. It runs once in this process: the databases are
 * copies of the first.
 */
export function copiesOf (migrate: (url: string) => Promise<void>): (t: Test) => Promise<string> {
  let original: Promise<string> | undefined
  async function prepare () {
    const { url, remove } = onPostgresql ? await temporaryPostgres() : keptFile()
    await migrate(url)
    process.once('beforeExit', remove)
    return url
  }

  return async t => {
    const from = await (original ??= prepare())
    if (onPostgresql) {
      const { url, remove } = await temporaryPostgres(new URL(from).pathname.slice(1))
      t.teardown(remove)
      return url
    }
    const url = sqliteFile(t)
    copyFileSync(from.slice('file:'.length), url.slice('file:'.length))
    return url
  }
}

/** A SQLite file that no test removes. */
function keptFile () {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  return { url: `file:${join(folder, 'original.db')}`, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A SQLite file of its own, removed with the test, for tests that need only one kind of database. */
export function sqliteFile (t: Test): string {
  return `file:${join(temporaryFolder(t), 'test.db')}`
}

/** A new database on the server at TEST_DATABASE_URL: empty, or a copy of `template`. */
export async function temporaryPostgres (template = 'template1'): Promise<{ url: string, remove: () => Promise<void> }> {
  const server = process.env.TEST_DATABASE_URL ?? ''
  const pool = administration ??= new pg.Pool({ connectionString: server, max: 1, allowExitOnIdle: true })
  const run = async (sql: string) => { await pool.query(sql) }
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Files are copied, without writing each page to the log: a third of the CPU.
  await run(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  return { url: new URL(`/${name}`, server).href, remove: () => run(`DROP DATABASE ${name} WITH (FORCE)`) }
}

/** The connection of this process that makes databases and drops them. */
let administration: pg.Pool | undefined

/** A connection of its own to the database under test, as from another process. SQLite returns rows of single statements only. */
export async function connectTo (url: string) {
  if (!url.startsWith('file:')) {
    const client = new pg.Client(url)
    await client.connect()
    return {
      query: async (sql: string): Promise<Array<Record<string, unknown>>> => (await client.query(sql)).rows,
      close: () => client.end()
    }
  }
  const database = new Sqlite(url.slice('file:'.length))
  return {
    async query (sql: string): Promise<Array<Record<string, unknown>>> {
      const statement = database.prepare(sql)
      // as: rows are objects; the test knows their members.
      return statement.reader ? statement.all() as Array<Record<string, unknown>> : (statement.run(), [])
    },
    close: async () => { database.close() }
  }
}
