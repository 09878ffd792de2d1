import Database from 'better-sqlite3'
import { loadCustomers } from '../../../services/customers.js'
import { fileOf } from './table.js'

/**
 * The table of customer-service with its customers; on SQLite in a file with a rollback journal, as it is by default.
 * @param {import('../../../context.js').Context} context
 */
export async function loadPrismaTable (context) {
  await loadCustomers(context)
  if (context.databaseUrl !== undefined) return
  const database = new Database(`${context.dir}/data.db`)
  database.pragma('journal_mode = DELETE')
  database.exec(`VACUUM INTO '${fileOf(context)}'`)
  database.close()
}
