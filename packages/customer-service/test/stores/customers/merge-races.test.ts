import t, { type Test } from 'tap'
import { runUndo } from '../../../src/customer/undo/run.js'
import { NO_ACTOR } from '../../../src/stores/changes/change.js'
import { build } from '../../support/helper.js'
import { assertWhole } from '../../support/whole-changes.js'

export const onBothDatabases = true

const LANES = 16
const ROUNDS = 25

const any = 'any' as const
const values = { name: 'Zoë', age: 33, address: 'Rue Lepic' }

/** Two replicas; requests alternate between them. */
async function buildTwo (t: Test) {
  const one = await build(t, { DATABASE_POOL_SIZE: '10' })
  const two = await build(t, { DATABASE_POOL_SIZE: '10', DATABASE_URL: one.config.databaseUrl })
  const replicas = [one.customers, two.customers] as const
  const merge = async (lane: number, into: number, from: number) => await replicas[lane % 2 === 0 ? 0 : 1].merge(
    { into: { id: into, versions: any }, from: { id: from, versions: any }, values: {} }, NO_ACTOR
  )
  return { one, replicas, merge }
}

t.test('of concurrent merges of two customers in both directions, one happens', async t => {
  const { one, merge } = await buildTwo(t)
  const { customers, db } = one
  for (let round = 0; round < ROUNDS; round++) {
    const [a, b] = [2 * round + 1, 2 * round + 2]
    for (const id of [a, b]) await customers.register({ ...values, id }, NO_ACTOR)
    const results = await Promise.all(Array.from({ length: LANES }, async (_, lane) => {
      const [into, from] = lane % 4 < 2 ? [a, b] : [b, a]
      return await merge(lane, into, from)
    }))
    t.equal(results.filter(({ outcome }) => outcome === 'merged').length, 1)
    t.equal(await db.customer.count({ where: { id: { in: [a, b] } } }), 1)
    t.equal(await db.customerChange.count({ where: { customerId: { in: [a, b] }, kind: 'merged' } }), 1)
  }
  t.equal(await db.operation.count(), ROUNDS)
  await assertWhole(t, one)
})

t.test('of concurrent merges of four customers in every direction, three happen, and all numbers lead to the customer that stays', async t => {
  const { one, merge } = await buildTwo(t)
  const { customers, history, db } = one
  for (let round = 0; round < ROUNDS; round++) {
    const ids = [1, 2, 3, 4].map(it => 4 * round + it)
    for (const id of ids) await customers.register({ ...values, id }, NO_ACTOR)
    const pairs = ids.flatMap(into => ids.filter(id => id !== into).map(from => [into, from] as const))
    const lanes = [...pairs, ...pairs.slice(0, LANES - pairs.length)].sort(() => Math.random() - 0.5)
    const results = await Promise.all(lanes.map(async ([into, from], lane) => await merge(lane, into, from)))
    t.equal(results.filter(({ outcome }) => outcome === 'merged').length, 3)
    const [left, ...others] = await db.customer.findMany({ where: { id: { in: ids } } })
    t.same(others, [])
    for (const id of ids) t.equal(await history.findSuccessor(id), id === left?.id ? null : left?.id)
    t.equal((await history.list(left!.id, 100)).length, 4 + 2 * 3, 'one history')
  }
  await assertWhole(t, one)
})

t.test('merges race changes, removals and registrations: each change is recorded once, and none is lost', async t => {
  const { one, replicas, merge } = await buildTwo(t)
  const { customers, db } = one
  for (let round = 0; round < ROUNDS; round++) {
    const [a, b] = [2 * round + 1, 2 * round + 2]
    for (const id of [a, b]) await customers.register({ ...values, id }, NO_ACTOR)
    const [merged] = await Promise.all([
      merge(round, a, b),
      ...Array.from({ length: LANES - 1 }, async (_, lane) => {
        const id = lane % 2 === 0 ? a : b
        const replica = replicas[lane % 4 < 2 ? 0 : 1]
        switch (lane % 5) {
          case 0: return await replica.remove(id, any, NO_ACTOR)
          case 1: return await replica.register({ ...values, id }, NO_ACTOR)
          default: return await replica.change(id, { age: 40 + lane }, any, NO_ACTOR)
        }
      })
    ])
    t.equal(await db.customerChange.count({ where: { customerId: b, kind: 'merged' } }), merged.outcome === 'merged' ? 1 : 0)
  }
  await assertWhole(t, one)
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
