import type { Sql } from 'sql-template-tag'
import type { Connection } from './connection.js'
import { decodeRows, type Columns, type Row } from './rows.js'
import type { Query, Steps } from './steps.js'

export { default as sql, empty, join, raw, type Sql } from 'sql-template-tag'

/**
 * Runs a statement with values in its text: ``query(connection, { id: 'string' }, sql`SELECT id FROM client WHERE id = ${id}`)``.
 * A batch of requests takes one statement with `listStatement`.
 * @param columns of the result
 * @throws TypeError if its rows do not match them
 */
export async function query<C extends Columns> (connection: Connection, columns: C, statement: Sql): Promise<Array<Row<C>>> {
  return decodeRows(columns, await connection.run(toQuery(connection, statement)))
}

/** The same as a step of a transaction: ``const [row] = yield * queryStep(connection, columns, sql`…`)``. */
export function * queryStep<C extends Columns> (connection: Connection, columns: C, statement: Sql): Steps<Array<Row<C>>> {
  return decodeRows(columns, yield toQuery(connection, statement))
}

function toQuery ({ dialect }: Connection, { sql, text, values }: Sql): Query {
  return { sql: dialect === 'postgresql' ? text : sql, args: values }
}
