import t from 'tap'
import { runUndo } from '../../../src/customer/undo/run.js'
import { NO_ACTOR } from '../../../src/stores/changes/change.js'
import { build } from '../../support/helper.js'

export const onBothDatabases = true

const LANES = 16
const ROUNDS = 25

const any = 'any' as const
const values = { name: 'Zoë', age: 33, address: 'Rue Lepic' }

t.test('of concurrent merges of two customers in both directions, one happens', async t => {
  const { customers, db } = await build(t, { DATABASE_POOL_SIZE: '20' })
  for (let round = 0; round < ROUNDS; round++) {
    const [a, b] = [2 * round + 1, 2 * round + 2]
    for (const id of [a, b]) await customers.register({ ...values, id }, NO_ACTOR)
    const results = await Promise.all(Array.from({ length: LANES }, async (_, lane) => {
      const [into, from] = lane % 2 === 0 ? [a, b] : [b, a]
      return await customers.merge({ into: { id: into, versions: any }, from: { id: from, versions: any }, values: {} }, NO_ACTOR)
    }))
    t.equal(results.filter(({ outcome }) => outcome === 'merged').length, 1)
    t.equal(await db.customer.count({ where: { id: { in: [a, b] } } }), 1)
    t.equal(await db.customerChange.count({ where: { customerId: { in: [a, b] }, kind: 'merged' } }), 1)
  }
  t.equal(await db.operation.count(), ROUNDS)
  t.equal(await db.customer.count({ where: { version: -1 } }), 0, 'no placeholders are left')
})

t.test('merges race changes, removals and registrations: each change is recorded once, and none is lost', async t => {
  const { customers, history, db } = await build(t, { DATABASE_POOL_SIZE: '20' })
  for (let round = 0; round < ROUNDS; round++) {
    const [a, b] = [2 * round + 1, 2 * round + 2]
    for (const id of [a, b]) await customers.register({ ...values, id }, NO_ACTOR)
    const [merged] = await Promise.all([
      customers.merge({ into: { id: a, versions: any }, from: { id: b, versions: any }, values: {} }, NO_ACTOR),
      ...Array.from({ length: LANES - 1 }, async (_, lane) => {
        const id = lane % 2 === 0 ? a : b
        switch (lane % 5) {
          case 0: return await customers.remove(id, any, NO_ACTOR)
          case 1: return await customers.register({ ...values, id }, NO_ACTOR)
          default: return await customers.change(id, { age: 40 + lane }, any, NO_ACTOR)
        }
      })
    ])
    t.equal(await db.customerChange.count({ where: { customerId: b, kind: 'merged' } }), merged.outcome === 'merged' ? 1 : 0)
    for (const id of [a, b]) {
      const changes = (await history.list(id, 100)).filter(({ customerId }) => customerId === id)
      const found = await customers.find(id)
      t.same(changes[0]!.after, found === null ? null : { name: found.name, age: found.age, address: found.address }, `the last change of ${id}`)
      // Each begins where the one before ended.
      t.same(changes.slice(0, -1).map(({ before }) => before), changes.slice(1).map(({ after }) => after))
    }
  }
})

t.test('an undo of a merge restores nothing if a customer changes after it was checked', async t => {
  const { customers, undo } = await build(t)
  for (const id of [1, 2]) await customers.register({ ...values, id }, NO_ACTOR)
  const merged = await customers.merge({ into: { id: 1, versions: any }, from: { id: 2, versions: any }, values: {} }, NO_ACTOR)
  if (merged.outcome !== 'merged' || merged.operationId === null) throw new Error(merged.outcome)
  const begun = await undo.begin(merged.operationId, NO_ACTOR)
  const check: typeof undo.check = async batch => {
    const decisions = await undo.check(batch)
    await customers.change(1, { age: 50 }, any, NO_ACTOR)
    return decisions
  }
  const report = await runUndo({ ...undo, check }, begun!, { actor: NO_ACTOR, dryRun: false, recheck: async () => {} })
  t.match(report, { customers: 2, reverted: 0, skipped: 2, reasons: [{ reason: 'changed' }, { reason: 'changed' }] })
  t.match([await customers.find(1), await customers.find(2)], [{ age: 50 }, null])
})
