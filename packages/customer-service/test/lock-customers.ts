import Sqlite from 'better-sqlite3'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Test } from 'tap'

/** Whether the tests of this process run on PostgreSQL; the same ones run on SQLite in another. */
export const onPostgresql = process.env.TEST_DIALECT === 'postgresql'

/** An empty folder, removed with the test. */
export function temporaryFolder (t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'customers-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A database of its own, removed with the test: SQLite in a temporary file, or one on the server that TEST_DATABASE_URL names. */
export async function temporaryDatabase (t: Test): Promise<string> {
  if (!onPostgresql) return `file:${join(temporaryFolder(t), 'customers.db')}`
  const server = process.env.TEST_DATABASE_URL ?? ''
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const run = async (sql: string) => {
    const connection = await connectTo(server)
    await connection.query(sql)
    await connection.close()
  }
  await run(`CREATE DATABASE ${name}`)
  t.teardown(() => run(`DROP DATABASE ${name} WITH (FORCE)`))
  return new URL(`/${name}`, server).href
}

/** Somebody else's connection to the database under test. */
export async function connectTo (url: string) {
  if (!url.startsWith('file:')) {
    const client = new pg.Client(url)
    await client.connect()
    return { query: async (sql: string): Promise<unknown> => await client.query(sql), close: async () => { await client.end() } }
  }
  const database = new Sqlite(url.slice('file:'.length))
  return { query: async (sql: string): Promise<unknown> => database.exec(sql), close: async () => { database.close() } }
}

/** Locks customers against writing, as another process would. Gives what unlocks them. */
export async function lockCustomers (url: string) {
  const other = await connectTo(url)
  await other.query(onPostgresql ? 'BEGIN; LOCK TABLE customer IN EXCLUSIVE MODE' : 'BEGIN IMMEDIATE')
  return async () => {
    await other.query('ROLLBACK')
    await other.close()
  }
}
