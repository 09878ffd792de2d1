import { connect } from '@frontdesk/database/connect'
import type { Connection } from '@frontdesk/database/connection'
import { loadDatabase } from '../../../src/config.js'
import { onPostgresql } from '../database.js'

interface Statement { sql: string, args: readonly unknown[] }

/** The last statement that the work sends, and its values. */
export async function lastStatement (url: string, work: (connection: Connection) => Promise<unknown>): Promise<Statement> {
  const connection = await connect(url, { ...loadDatabase({}).database, applicationName: 'test' })
  const statements: Statement[] = []
  const run: typeof connection.run = query => {
    statements.push(query)
    return connection.run(query)
  }
  await work({ ...connection, run })
  await connection.close()
  // as: it has sent one.
  return statements.at(-1) as Statement
}

/** How a database goes about a statement with these SQL values; PostgreSQL with these, and with any. */
export async function plansOf (
  sql: string,
  values: readonly string[],
  query: (sql: string) => Promise<Array<Record<string, unknown>>>
): Promise<string[]> {
  const explain = async (sql: string) => (await query(sql)).map(row => row['QUERY PLAN'] ?? row.detail).join('\n')
  const left = [...values]
  if (!onPostgresql) return [await explain(`EXPLAIN QUERY PLAN ${sql.replaceAll('?', () => left.shift() ?? "''")}`)]
  await query(`PREPARE asked AS ${sql}`)
  const plans = []
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await query(`SET plan_cache_mode = ${mode}`)
    plans.push(await explain(`EXPLAIN EXECUTE asked (${values.join(', ')})`))
  }
  return plans
}
