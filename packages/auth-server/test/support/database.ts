import { connectTo, createTemplate } from '@frontdesk/test-kit/database'
import { lengthen } from '@frontdesk/test-kit/lengthen'
import { waits } from '@frontdesk/database/waits'
import { statSync } from 'node:fs'
import { loadDatabase } from '../../src/config.js'
import { hashRefreshToken } from '../../src/grants/refresh-token-form.js'
import type { SpentToken } from '../../src/stores/grants/refresh-family.js'
import { openStores } from '../../src/stores/stores.js'

export { connectTo, onPostgresql, sqliteFile, temporaryDatabase as emptyDatabase } from '@frontdesk/test-kit/database'

/** Until the end of the test, requests wait for the database as long as in production. */
export const standardWaits = lengthen(waits)

/** Settings with which a database on a busy machine does not time out. */
export const longTimeouts = { ...loadDatabase({}).database, connectTimeout: 60_000, statementTimeout: 60_000 }

/** A migrated database of its own, removed with the test. */
export const temporaryDatabase = createTemplate(async url => await (await openStores(url, longTimeouts)).close())

/** How many bytes the tables of a database take. */
export async function bytesOf (url: string): Promise<number> {
  if (url.startsWith('file:')) return ['', '-wal'].map(suffix => statSync(url.slice('file:'.length) + suffix).size).reduce((a, b) => a + b)
  const connection = await connectTo(url)
  const [row] = await connection.query('SELECT sum(pg_total_relation_size(relid)) AS bytes FROM pg_stat_user_tables')
  await connection.close()
  return Number(row?.bytes)
}

/**
 * Sets back when the spent tokens of the family of a refresh token were used: by a second more than they share a successor, because the
 * clocks of two replicas differ by milliseconds, and by more on a busy machine.
 */
export async function spendEarlier (url: string, token: string): Promise<void> {
  const connection = await connectTo(url)
  const family = `family_hash = '${hashRefreshToken(token).familyHash}'`
  const [row] = await connection.query(`SELECT spent FROM refresh_token WHERE ${family}`)
  // as: the store wrote it.
  const earlier = (JSON.parse(String(row!.spent)) as SpentToken[]).map(({ at, ...token }) => ({ ...token, at: at - 11_000 }))
  await connection.query(`UPDATE refresh_token SET spent = '${JSON.stringify(earlier)}' WHERE ${family}`)
  await connection.close()
}

/** Copies a client for each row of a table, which is SQL. @param changed SQL of the columns that differ */
export async function copyClient (
  connection: Pick<Awaited<ReturnType<typeof connectTo>>, 'query'>, id: string, rows: string, changed: Record<string, string>
) {
  const [client] = await connection.query(`SELECT * FROM client WHERE id = '${id}'`)
  const columns = Object.keys(client!)
  const values = columns.map(column => changed[column] ?? `client.${column}`)
  await connection.query(`INSERT INTO client (${columns.join(', ')})
    SELECT ${values.join(', ')} FROM client, (${rows}) AS made WHERE client.id = '${id}'`)
}

/** Rows of every table but the audit trail, which is written behind the answers. */
export async function countRows (url: string): Promise<number> {
  const connection = await connectTo(url)
  const tables = await connection.query(url.startsWith('file:')
    ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'audit%'"
    : "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename NOT LIKE 'audit%'")
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
  const rows: Array<{ name: string, text: string }> = []
  for (const { name } of tables) rows.push({ name: `${name}`, text: JSON.stringify(await connection.query(`SELECT * FROM ${name}`)) })
  await connection.close()
  return rows.filter(row => row.text.toLowerCase().includes(text.toLowerCase())).map(({ name }) => name).sort()
}
