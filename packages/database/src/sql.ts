import type { SqlQuery } from '@prisma/driver-adapter-utils'
import type { Sql } from 'sql-template-tag'
import type { Connection } from './connection.js'
import { decodeRows, type Columns, type Row } from './rows.js'
import type { Steps } from './steps.js'

export { default as sql, empty, join, raw, type Sql } from 'sql-template-tag'

/**
 * Runs a statement with values in its text: ``query(connection, { id: 'string' }, sql`SELECT id FROM client WHERE id = ${id}`)``.
 * For frequent ones, see `ValuesStatement`.
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

function toQuery ({ adapter }: Connection, { sql, text, values }: Sql): SqlQuery {
  // The driver encodes each value as its own type says.
  const argTypes = values.map(() => ({ scalarType: 'unknown', arity: 'scalar' } as const))
  return { sql: adapter.provider === 'postgres' ? text : sql, args: values, argTypes }
}
