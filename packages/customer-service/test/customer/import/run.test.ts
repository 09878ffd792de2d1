import t from 'tap'
import type { ImportRecord } from '../../../src/customer/import/records.js'
import { MAX_SEEN } from '../../../src/customer/import/repetitions.js'
import { runImport } from '../../../src/customer/import/run.js'
import type { Imports } from '../../../src/stores/imports/imports.js'
import type { UnnumberedCustomer } from '../../../src/stores/imports/numbering.js'

t.test('a number that is twice in a part of a file is registered once, also after more numbers than are remembered', async t => {
  const actor = { sub: null, clientId: null, requestId: null, operationId: null }
  const customer = (id: number) => ({ id, name: 'name', age: 33, address: 'street' })
  async function * records (): AsyncGenerator<ImportRecord> {
    for (let line = 1; line <= MAX_SEEN; line++) yield { line, customer: customer(line) }
    for (const [line, id] of [[1, 1], [2, 2], [3, 1]] as const) yield { line: MAX_SEEN + line, customer: customer(MAX_SEEN + id) }
  }
  let last: readonly UnnumberedCustomer[] = []
  const add = async (customers: readonly UnnumberedCustomer[]) => {
    last = customers
    return new Map(customers.map(customer => [customer, { kind: 'registered' } as const]))
  }
  // as: an import without a key calls nothing else.
  const { report } = await runImport(records(), { add } as Pick<Imports, 'add'> as Imports, actor, {
    allOrNothing: false, rule: { mode: 'create', match: 'number' }, dryRun: false, hash: null, recheck: async () => {}
  })
  t.match(report, { registered: MAX_SEEN + 2, failed: 1, errors: [{ line: MAX_SEEN + 3, customerid: MAX_SEEN + 1 }] })
  t.same(last.slice(-2).map(({ id }) => id), [MAX_SEEN + 1, MAX_SEEN + 2])
})
