import Database from 'better-sqlite3'
import { query } from '../../../machine/database.js'
import { loadCustomers } from '../../../services/customers.js'
import { fileOf } from './table.js'

/** The index on names. */
const INDEX = 'DROP INDEX customer_name_key_idx'

/**
 * The table of customer-service with its customers, without what a peer does not use; on SQLite in a file with a
 * rollback journal, as it is by default.
 * @param {import('../../../context.js').Context} context
 */
export async function loadPrismaTable (context) {
  await loadCustomers(context)
  if (context.databaseUrl !== undefined) return await query(context.databaseUrl, INDEX)
  const database = new Database(`${context.dir}/data.db`)
  database.exec(INDEX)
  database.pragma('journal_mode = DELETE')
  database.exec(`VACUUM INTO '${fileOf(context)}'`)
  database.close()
}
