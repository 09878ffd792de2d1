import Sqlite from 'better-sqlite3'
import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Test } from 'tap'

/** Whether this process's tests run on PostgreSQL; another process runs them on SQLite. */
export const onPostgresql = process.env.TEST_DIALECT === 'postgresql'

/** Creates an empty folder, which is removed after the test. */
export function temporaryFolder (t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Creates a database, which is removed after the test: a SQLite file, or a database on the server at TEST_DATABASE_URL. */
export async function temporaryDatabase (t: Test): Promise<string> {
  if (!onPostgresql) return sqliteFile(t)
  const { url, remove } = await temporaryPostgres()
  t.teardown(remove)
  return url
}

/** Creates a function that copies a database, which `migrate` prepares once. Each copy is removed after its test. */
export function createTemplate (migrate: (url: string) => Promise<void>): (t: Test) => Promise<string> {
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

/** A SQLite file that is kept after the test. */
function keptFile () {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  return { url: `file:${join(folder, 'original.db')}`, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Creates a SQLite file, which is removed after the test, for tests of one kind of database. */
export function sqliteFile (t: Test): string {
  return `file:${join(temporaryFolder(t), 'test.db')}`
}

/** Creates a database on the server at TEST_DATABASE_URL: empty, or a copy of `template`. */
export async function temporaryPostgres (template = 'template1'): Promise<{ url: string, remove: () => Promise<void> }> {
  const server = process.env.TEST_DATABASE_URL ?? ''
  const pool = administration ??= new pg.Pool({ connectionString: server, max: 1, allowExitOnIdle: true })
  const run = async (sql: string) => { await pool.query(sql) }
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // FILE_COPY does not write each page to the WAL, and takes a third of the CPU time.
  await run(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  return { url: new URL(`/${name}`, server).href, remove: () => run(`DROP DATABASE ${name} WITH (FORCE)`) }
}

/** This process's connection that creates and drops databases. */
let administration: pg.Pool | undefined

/** Opens a separate connection to the database under test, as another process would. SQLite accepts only single statements. */
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
