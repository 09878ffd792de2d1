import { connect } from '@frontdesk/database/connect'
import type { Connection } from '@frontdesk/database/connection'
import type { Steps } from '@frontdesk/database/steps'
import { loadDatabase } from '../../../src/config.js'
import { onPostgresql } from '../database.js'

export interface Statement { sql: string, args: readonly unknown[] }

/** As auth-server connects. */
export const OPTIONS = { ...loadDatabase({}).database, applicationName: 'test' }

/** The statements that the work sends, also those of transactions, and their values. */
export async function sentStatements (url: string, work: (connection: Connection) => Promise<unknown>): Promise<Statement[]> {
  const connection = await connect(url, OPTIONS)
  const statements: Statement[] = []
  const run: Connection['run'] = query => {
    statements.push(query)
    return connection.run(query)
  }
  const transact: Connection['transact'] = (steps, mode) => connection.transact(() => recordSteps(steps(), statements), mode)
  await work({ ...connection, run, transact })
  await connection.close()
  return statements
}

function * recordSteps<R> (steps: Steps<R>, statements: Statement[]): Steps<R> {
  let step = steps.next()
  while (step.done !== true) {
    statements.push(step.value)
    step = steps.next(yield step.value)
  }
  return step.value
}

/** The last statement that the work sends, and its values. */
export async function lastStatement (url: string, work: (connection: Connection) => Promise<unknown>): Promise<Statement> {
  // as: it has sent one.
  return (await sentStatements(url, work)).at(-1) as Statement
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
