import type { Connection } from './connection.js'
import type { Columns } from './rows.js'
import { execute, raw, sql } from './sql.js'
import { columnOf, type Table } from './table.js'

/** Rows per statement: small ones do not block others. */
const BATCH_SIZE = 500

type Field<C> = keyof C & string
type TimeField<C extends Columns> = { [F in Field<C>]: C[F] extends 'datetime' | 'datetime?' ? F : never }[Field<C>]

/**
 * Describes a table whose rows expire.
 * @param key fields of its primary key
 * @param at field with a row's expiry; null: never
 * @param keepFor how long to keep expired rows, in milliseconds
 */
export function expiring<C extends Columns> (
  table: Table<C>, key: Field<C> | ReadonlyArray<Field<C>>, at: TimeField<C>, keepFor = 0
): { readonly table: Table, readonly key: readonly string[], readonly at: string, readonly keepFor: number } {
  return { table, key: [key].flat(), at, keepFor }
}

/** Removes the rows that expired by a time, in small statements. Returns their number. @param onBatch gets that of each statement */
export async function removeExpired (
  connection: Connection, { table, key, at, keepFor }: ReturnType<typeof expiring>, until: Date, onBatch?: (rows: number) => void
): Promise<number> {
  const [name, fields, end] = [raw(table.name), raw(key.map(columnOf).join(', ')), raw(columnOf(at))]
  const before = new Date(until.getTime() - keepFor)
  return await inBatches(limit => execute(connection, sql`
    DELETE FROM ${name} WHERE (${fields}) IN (SELECT ${fields} FROM ${name} WHERE ${end} <= ${before} LIMIT ${limit})`), onBatch)
}

/** Repeats a removal of up to `limit` rows until it finds fewer. Returns their number. */
export async function inBatches (remove: (limit: number) => Promise<number>, onBatch?: (rows: number) => void): Promise<number> {
  for (let total = 0; ;) {
    const rows = await remove(BATCH_SIZE)
    onBatch?.(rows)
    total += rows
    if (rows < BATCH_SIZE) return total
  }
}
