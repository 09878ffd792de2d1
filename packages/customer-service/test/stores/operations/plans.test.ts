import type { Connection } from '@frontdesk/database/connection'
import t from 'tap'
import { examineStatement } from '../../../src/stores/operations/examine.js'
import { build } from '../../support/helper.js'

t.test('to examine a customer, the index of operations is not read, which has all customers of an operation', async t => {
  const { connection } = await build(t)
  let said: { readonly sql: string, readonly args: readonly unknown[] } = { sql: '', args: [] }
  // as: a statement needs to know the dialect, and a way to run.
  const overheard = {
    dialect: connection.dialect,
    run: query => {
      said = query
      return connection.run(query)
    }
  } as Pick<Connection, 'run'> & object as Connection
  const operation = { operationId: 'a', undoId: 'b', clientId: null, since: null, start: 1n }
  const app = { operationId: null, undoId: 'b', clientId: 'app', since: new Date(), start: 1n }
  for (const selection of [operation, app]) {
    await examineStatement(overheard).run([{ id: 1, ...selection }])
    const plan = (await connection.run({ ...said, sql: `EXPLAIN QUERY PLAN ${said.sql}` })).map(row => row[3]).join('\n')
    t.match(plan, /customer_change_customer_id_seq_idx/)
    t.notMatch(plan, /customer_change_operation_id/)
  }
})
