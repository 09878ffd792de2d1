import Database from 'better-sqlite3'
import { customer } from '../loads.js'
import { query } from '../machine/database.js'
import { databaseUrl, inClone } from './place.js'

/** Copies of the first customer with other numbers: its times have the service's format. */
const FILL = (numbers, first, last) => `
  INSERT INTO customer (id, name, name_key, age, address, version, created_at, updated_at, name_fold, name_words, address_words)
  SELECT n, 'Customer ' || n, 'Customer ' || n, n % 100, (n % 1000) || ' High Street, Springfield', version, created_at, updated_at,
    'customer ' || n, ' customer ' || n, ' ' || (n % 1000) || ' high street springfield'
  FROM ${numbers(first, last)}, (SELECT version, created_at, updated_at FROM customer WHERE id = 1) AS first`

const SERIES = (first, last) => `generate_series(${first}, ${last}) AS numbers (n)`
const RECURSION = (first, last) =>
  `(WITH RECURSIVE numbers (n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${last}) SELECT n FROM numbers) AS numbers`

/**
 * Creates the tables of customer-service with its migrations, and loads customers 1 to `customers`.
 * @param {import('../context.js').Context} context
 */
export async function loadCustomers (context) {
  const { openDatabase } = await import(inClone('packages/customer-service/dist/src/stores/open.js'))
  const { NO_ACTOR } = await import(inClone('packages/customer-service/dist/src/stores/changes/change.js'))
  const { loadConfig } = await import(inClone('packages/customer-service/dist/src/config.js'))
  const { stores, close } = await openDatabase(loadConfig({ DATABASE_URL: databaseUrl(context) }))
  await stores.customers.register(customer(1), NO_ACTOR)
  await close()
  await addCustomers(context, 2, context.customers)
}

/** Adds customers from one id to another with SQL, which is fast. */
export async function addCustomers (context, first, last) {
  if (context.databaseUrl !== undefined) {
    return await query(context.databaseUrl, FILL(SERIES, first, last), 'VACUUM ANALYZE customer', 'CHECKPOINT')
  }
  const file = new Database(`${context.dir}/data.db`)
  // Made again at the end, an index of ten million rows takes seconds; row by row, far longer.
  const made = file
    .prepare("SELECT type, name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'customer' AND sql IS NOT NULL")
    .all()
  for (const { type, name } of made) file.exec(`DROP ${type} "${name}"`)
  file.exec(FILL(RECURSION, first, last))
  for (const { sql } of made) file.exec(sql)
  file.pragma('wal_checkpoint(TRUNCATE)')
  file.close()
}
