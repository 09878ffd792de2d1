import type { Connection } from './connection.js'

/**
 * SQL for the end of a query: on PostgreSQL, locks its rows in the order of a text column. All transactions must lock a table's
 * rows in this order, or two could deadlock. SQLite has one writer.
 */
export function lockInOrder ({ dialect }: Pick<Connection, 'dialect'>, column: string, lock = 'FOR UPDATE'): string {
  return dialect === 'postgresql' ? `ORDER BY ${column} COLLATE "C" ${lock}` : ''
}

/**
 * SQL of an UPDATE's entries: on PostgreSQL, locks the rows in order before they are changed. An UPDATE alone would lock them in
 * the order of its plan.
 * @param entries from a list statement
 * @param rows the table, its key, and the statement's condition on `entry`
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
