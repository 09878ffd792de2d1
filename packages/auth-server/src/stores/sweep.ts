import type { Connection } from '@frontdesk/database/connection'
import { query, raw, sql, type Sql } from '@frontdesk/database/sql'

/**
 * Removes up to `limit` rows that are no longer needed, while other writers wait. Returns how many.
 * @param rows the table, its key, and the condition
 */
export async function sweepRows (
  connection: Connection, { table, key, where }: { table: string, key: string, where: Sql }, limit: number
): Promise<number> {
  const [from, id] = [raw(table), raw(key)]
  const removed = await query(connection, { id: 'string' }, sql`
    DELETE FROM ${from} WHERE ${id} IN (SELECT ${id} FROM ${from} WHERE ${where} LIMIT ${limit}) RETURNING ${id}`)
  return removed.length
}
