import { Batcher } from './batch.js'
import type { Connection } from './connection.js'
import { listStatement } from './list-statement.js'
import { columnOf, type Table } from './table.js'

/**
 * Creates a function that claims a key which can be used once, such as a proof's. Atomic: exactly one concurrent caller gets `true`.
 * Concurrent claims share a statement.
 * @param table its key, then `expiresAt`, until when a key is stored
 */
export function usedOnce (connection: Connection, { name, columns }: Table): (key: string, expiresAt: Date) => Promise<boolean> {
  const id = columnOf(Object.keys(columns)[0] ?? '')
  const insert = listStatement(connection, {
    entry: { id: 'string', expiresAt: 'datetime' },
    sql: entries => `
      INSERT INTO ${name} (${id}, expires_at) SELECT DISTINCT entry.id, entry.expires_at FROM ${entries} WHERE true ORDER BY entry.id
      ON CONFLICT DO NOTHING RETURNING ${id} AS id`,
    row: { id: 'string' }
  })
  const claims = new Batcher(async (asked: Array<{ id: string, expiresAt: Date }>) => {
    const added = new Set((await insert.run(asked)).map(({ id }) => id))
    // Only the first of equal keys.
    return asked.map(({ id }) => added.delete(id))
  }, connection)
  return (key, expiresAt) => claims.run({ id: key, expiresAt })
}
