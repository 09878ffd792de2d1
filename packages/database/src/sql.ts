import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Connection } from './connection.js'
import { decodeRows, type Columns, type Row } from './rows.js'
import type { Query, Steps } from './steps.js'
import { columnNames } from './table.js'

export { sql, empty, join, raw, type Sql }

/**
 * Runs a statement: ``query(connection, { id: 'string' }, sql`SELECT id FROM client WHERE id = ${id}`)``. For batches of requests,
 * see `listStatement`.
 * @param columns of the result
 * @throws TypeError if its rows have others
 */
export async function query<C extends Columns> (connection: Connection, columns: C, statement: Sql): Promise<Array<Row<C>>> {
  return decodeRows(columns, await queryRows(connection, statement))
}

/** Runs a statement. Returns the rows of the driver, for `rowDecoder`. */
export async function queryRows (connection: Connection, statement: Sql): Promise<unknown[][]> {
  return await connection.run(toQuery(connection, statement))
}

/** The same as a step of a transaction: ``const [row] = yield * queryStep(connection, columns, sql`…`)``. */
export function * queryStep<C extends Columns> (connection: Connection, columns: C, statement: Sql): Steps<Array<Row<C>>> {
  return decodeRows(columns, yield toQuery(connection, statement))
}

/** SQL of a new row, after `INSERT INTO` and the table: its columns and values. */
export function newRow<C extends Columns> (columns: C, row: Row<C>): Sql {
  return sql`(${raw(columnNames(columns))}) VALUES (${join(Object.keys(columns).map(field => row[field]))})`
}

/** Runs an INSERT, UPDATE or DELETE without RETURNING. Returns the number of affected rows. */
export async function execute (connection: Connection, statement: Sql): Promise<number> {
  return (await queryRows(connection, returningOne(statement))).length
}

/** The same as a step of a transaction: ``const rows = yield * executeStep(connection, sql`DELETE FROM …`)``. */
export function * executeStep (connection: Connection, statement: Sql): Steps<number> {
  return (yield toQuery(connection, returningOne(statement))).length
}

/** Whether a `SELECT 1 …` finds a row. */
export async function exists (connection: Connection, select: Sql): Promise<boolean> {
  return (await queryRows(connection, select)).length > 0
}

/** The same as a step of a transaction. */
export function * existsStep (connection: Connection, select: Sql): Steps<boolean> {
  return (yield toQuery(connection, select)).length > 0
}

function returningOne (statement: Sql): Sql {
  return sql`${statement} RETURNING 1`
}

function toQuery ({ dialect }: Connection, { sql, text, values }: Sql): Query {
  return { sql: dialect === 'postgresql' ? text : sql, args: values }
}
