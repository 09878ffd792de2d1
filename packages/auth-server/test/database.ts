import Sqlite from 'better-sqlite3'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Test } from 'tap'

/** Whether the tests of this process run on PostgreSQL; the same ones run on SQLite in another. */
export const onPostgresql = process.env.TEST_DIALECT === 'postgresql'

/** A database of its own, removed with the test: SQLite in a temporary file, or one on the server that TEST_DATABASE_URL names. */
export async function temporaryDatabase (t: Test): Promise<string> {
  return onPostgresql ? await createDatabase(t, process.env.TEST_DATABASE_URL ?? '') : sqliteFile(t)
}

/** A database of its own in a temporary file, removed with the test, where it does not matter which database it is. */
export function sqliteFile (t: Test): string {
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  return `file:${join(directory, 'test.db')}`
}

async function createDatabase (t: Test, server: string): Promise<string> {
  const url = new URL(server)
  url.pathname = `/test_${randomUUID().replaceAll('-', '')}`
  const run = async (sql: string) => {
    const connection = await connectTo(server)
    await connection.query(sql)
    await connection.close()
  }
  await run(`CREATE DATABASE ${url.pathname.slice(1)}`)
  t.teardown(() => run(`DROP DATABASE ${url.pathname.slice(1)} WITH (FORCE)`))
  return url.href
}

/** Somebody else's connection to the database under test. */
export async function connectTo (url: string) {
  if (!url.startsWith('file:')) {
    const client = new pg.Client(url)
    await client.connect()
    return { query: async (sql: string) => (await client.query(sql)).rows, close: () => client.end() }
  }
  const database = new Sqlite(url.slice('file:'.length))
  return {
    async query (sql: string) {
      const statement = database.prepare(sql)
      // as: rows are objects; what is in them the test knows.
      return statement.reader ? statement.all() as Array<Record<string, unknown>> : (statement.run(), [])
    },
    close: async () => { database.close() }
  }
}

/** How many bytes the tables of a database take. */
export async function bytesOf (url: string): Promise<number> {
  if (url.startsWith('file:')) return ['', '-wal'].map(suffix => statSync(url.slice('file:'.length) + suffix).size).reduce((a, b) => a + b)
  const connection = await connectTo(url)
  const [row] = await connection.query('SELECT sum(pg_total_relation_size(relid)) AS bytes FROM pg_stat_user_tables')
  await connection.close()
  return Number(row?.bytes)
}

/** Rows of every table but the audit trail, which is written behind the answers. */
export async function countRows (url: string): Promise<number> {
  const connection = await connectTo(url)
  const tables = await connection.query(url.startsWith('file:')
    ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'audit'"
    : "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'audit'")
  const [row] = await connection.query(`SELECT ${tables.map(({ name }) => `(SELECT COUNT(*) FROM ${name})`).join(' + ')} AS count`)
  await connection.close()
  return Number(row?.count)
}

/** The tables with a row in which a text stands, in any column and in any case. */
export async function tablesNaming (url: string, text: string): Promise<string[]> {
  const connection = await connectTo(url)
  const tables = await connection.query(url.startsWith('file:')
    ? "SELECT name FROM sqlite_master WHERE type = 'table'"
    : 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()')
  const rows = await Promise.all(tables.map(async ({ name }) => ({ name: `${name}`, text: JSON.stringify(await connection.query(`SELECT * FROM ${name}`)) })))
  await connection.close()
  return rows.filter(row => row.text.toLowerCase().includes(text.toLowerCase())).map(({ name }) => name).sort()
}
