import Database from 'better-sqlite3'
import { query } from '../machine/database.js'
import { customerLoads } from './customer-loads.js'
import { loadCustomers } from './customers.js'
import { inClone } from './place.js'

const TABLE = 'CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, address TEXT NOT NULL)'
const INDEX = 'CREATE INDEX customer_name ON customer (name)'
const COLUMNS = "n, 'Customer ' || n, n % 100, (n % 1000) || ' High Street, Springfield'"

/** A program of `tools/bench/programs`, and its variables. */
export function program (name, { port }, env = {}) {
  return { args: [inClone(`tools/bench/programs/${name}.js`)], env: { PORT: String(port), ...env } }
}

/**
 * A limit with the interface of customer-service on better-sqlite3 or pg.
 * @param {'sqlite' | 'postgresql'} database
 * @param {{ cache: boolean, only?: string[], indexed?: boolean }} options whether a token is checked once only, the workloads,
 *   and whether the table is that of customer-service, with its full-text index
 * @returns {import('../target.js').Target}
 */
export function customersLimit (database, { cache, only = Object.keys(customerLoads), indexed = false }) {
  const onSqlite = database === 'sqlite'
  const name = `${onSqlite ? 'better-sqlite3' : 'pg'}${indexed ? '-indexed' : ''}`
  return {
    group: 'limit',
    database,
    prepare: indexed ? loadCustomers : onSqlite ? loadSqlite : loadPostgresql,
    start: context => program(name, context, {
      ...(onSqlite ? { DATABASE_FILE: fileOf(context) } : { DATABASE_URL: context.databaseUrl }),
      KEY_FILE: context.issuer.keyFile,
      ISSUER: context.issuer.url,
      AUDIENCE: context.issuer.audience,
      TOKEN_CACHE: cache ? 'yes' : 'no'
    }),
    workloads: Object.fromEntries(only.map(name => [name, customerLoads[name]]))
  }
}

const fileOf = ({ dir }) => `${dir}/data.db`

async function loadSqlite (context) {
  const database = new Database(fileOf(context))
  database.pragma('journal_mode = WAL')
  database.exec(
    `${TABLE}; INSERT INTO customer WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${context.customers}) SELECT ${COLUMNS} FROM numbers; ${INDEX}`
  )
  database.close()
}

async function loadPostgresql ({ databaseUrl, customers }) {
  await query(
    databaseUrl,
    TABLE,
    `INSERT INTO customer SELECT ${COLUMNS} FROM generate_series(1, ${customers}) AS numbers (n)`,
    INDEX,
    'VACUUM ANALYZE customer'
  )
}
