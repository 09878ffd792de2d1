import Database from 'better-sqlite3'
import { query } from '../../../machine/database.js'

const TABLE =
  'CREATE TABLE customer (id INTEGER PRIMARY KEY, name VARCHAR(100) NOT NULL, age INTEGER NOT NULL, address VARCHAR(200) NOT NULL)'
const ROWS = "INSERT INTO customer SELECT n, 'Customer ' || n, n % 100, (n % 1000) || ' High Street, Springfield' FROM"

/** The database file of a peer on SQLite. */
export const fileOf = ({ dir }) => `${dir}/customers`

/**
 * The table of a peer with customers 1 to `customers`. An SQLite file is as a new one is: with a rollback journal, and
 * therefore `synchronous=FULL`.
 * @param {import('../../../context.js').Context} context
 */
export async function loadTable (context) {
  const { databaseUrl, customers } = context
  if (databaseUrl !== undefined) {
    return await query(databaseUrl, TABLE, `${ROWS} generate_series(1, ${customers}) AS numbers (n)`, 'VACUUM ANALYZE customer')
  }
  const database = new Database(fileOf(context))
  database.exec(
    `${TABLE}; ${ROWS} (WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${customers}) SELECT n FROM numbers)`
  )
  database.close()
}
