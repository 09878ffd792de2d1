import type { Connection } from './connection.js'

/**
 * SQL at the end of a query: on PostgreSQL, locks its rows in the order of a text column. All transactions lock the rows of a
 * table in this order: two that lock the same rows in different orders would deadlock. SQLite has one writer.
 */
export function lockInOrder ({ dialect }: Pick<Connection, 'dialect'>, column: string, lock = 'FOR UPDATE'): string {
  return dialect === 'postgresql' ? `ORDER BY ${column} COLLATE "C" ${lock}` : ''
}

/**
 * SQL of the entries of an UPDATE: on PostgreSQL, it locks the rows of the table in order before they are changed. An UPDATE alone
 * locks them in the order that its plan finds them, whatever the order of the list.
 * @param entries as a list statement passes them
 * @param rows the table, its key, and the condition on `entry` that the statement has, too
 */
export function lockRows (
  connection: Pick<Connection, 'dialect'>,
  entries: string,
  { table, key, on }: { table: string, key: string, on: string }
): string {
  if (connection.dialect !== 'postgresql') return entries
  return `(SELECT entry.* FROM ${entries} JOIN ${table} ON ${on}
    ${lockInOrder(connection, `${table}.${key}`, `FOR NO KEY UPDATE OF ${table}`)}) AS entry`
}
