import type { Mode } from './batch.js'
import type { Connection } from './connection.js'
import type { ListStatement } from './list-statement.js'
import type { Columns, Row } from './rows.js'

/**
 * Runs the statement of a batch. If requests share it on PostgreSQL, it is a transaction, so that a row that another one has locked
 * does not hold up the others.
 */
export async function runBatch<E extends Columns, R extends Columns> (
  connection: Connection, statement: ListStatement<E, R>, entries: ReadonlyArray<Row<E>>, mode: Mode
): Promise<Array<Row<R>>> {
  if (!mode.isShared || connection.dialect !== 'postgresql') return await statement.run(entries)
  return await connection.transact(() => statement.step(entries), mode)
}
