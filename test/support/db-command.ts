import Sqlite from 'better-sqlite3'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { migratedDatabase } from './released/database.js'
import { root } from './stack.js'

export const CUSTOMER = join(root, 'packages/customer-service/bin/frontdesk-customer.js')
export const AUTH = join(root, 'packages/auth-server/bin/frontdesk-auth.js')

/** Names of every script and length, and what looks like the syntax of something. */
export const NAMES = [
  'Amélie', 'Ame\u0301lie', '李小龍', '🙂'.repeat(100), 'O\'Brien "x" \\ {} [1,2] $1 %s', '=1+1', 'null', '{"a":1}', ' spaces ', 'x'
]

/** A register with customers, made through the tables of this version; removed after the test. */
export async function registerOf (t: Test, rows: number): Promise<string> {
  const { url, remove } = await migratedDatabase('customer', 'sqlite')
  t.teardown(remove)
  const database = new Sqlite(url.slice('file:'.length))
  const insert = database.prepare(
    'INSERT INTO customer (id, name, name_key, age, address, version, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)'
  )
  const time = (index: number) => new Date(Date.UTC(2030, 0, 1) + index * 997).toISOString().replace('Z', '+00:00')
  database.transaction(() => {
    for (let id = 1; id <= rows; id++) {
      const name = NAMES[id % NAMES.length]!
      insert.run(
        id === rows ? 2147483647 : id,
        name,
        name.normalize('NFC'),
        id % 151,
        `line one\nline two\t${id}`,
        id * 99_991 % 2 ** 30,
        time(id),
        time(2 * id)
      )
    }
  })()
  database.close()
  return url
}

/** The environment of a command on a database. */
export const environment = (DATABASE_URL: string) => ({
  PATH: process.env.PATH,
  DATABASE_URL,
  SECRET_KEY: 'a secret key of many characters, for one test'
})

/** Runs `db` of a command. */
export async function run (
  bin: string,
  args: readonly string[],
  DATABASE_URL: string
): Promise<{ code: number, stdout: string, stderr: string }> {
  return await promisify(execFile)(process.execPath, [bin, 'db', ...args], { env: environment(DATABASE_URL) })
    .then(({ stdout, stderr }) => ({ code: 0, stdout, stderr }), ({ code, stdout, stderr }) => ({ code, stdout, stderr }))
}

/** The rows of a query on an SQLite file. */
export const rowsOf = (url: string, sql: string) => {
  const database = new Sqlite(url.slice('file:'.length), { readonly: true })
  const rows = database.prepare(sql).all()
  database.close()
  return rows
}
