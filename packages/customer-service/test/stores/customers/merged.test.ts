import t from 'tap'
import { NO_ACTOR } from '../../../src/stores/changes/change.js'
import { build } from '../../support/helper.js'

export const onBothDatabases = true

const any = 'any' as const
const values = { name: 'Zoë', age: 33, address: 'Rue Lepic' }

const open = async (...parameters: Parameters<typeof build>) => {
  const { customers, history, db } = await build(...parameters)
  const register = async (id: number) => await customers.register({ ...values, id }, NO_ACTOR)
  const merge = async (into: number, from: number) =>
    await customers.merge({ into: { id: into, versions: any }, from: { id: from, versions: any }, values: {} }, NO_ACTOR)
  return { customers, history, db, register, merge }
}

t.test('an erasure erases all customers that were merged into one, even more than its history has', async t => {
  const { customers, history, db, register, merge } = await open(t)
  const others = Array.from({ length: 110 }, (_, index) => index + 2)
  for (const id of [1, ...others]) await register(id)
  for (const id of others) await merge(1, id)
  t.equal((await history.list(1, 1_000)).length, 1 + others.length + 2 * 100)
  t.match(await customers.erase(1, any, NO_ACTOR), { customers: 1, changes: 1 + 3 * others.length })
  t.equal(await db.customerChange.count({ where: { kind: { not: 'erased' } } }), 0)
  t.equal(await db.customerChange.count(), 1 + others.length)
  t.equal(await db.customer.count(), 0)
})

t.test('numbers that were merged into each other again and again have one history', async t => {
  const { customers, history, register, merge } = await open(t)
  const rounds = 40
  await register(2)
  for (let round = 0; round < rounds; round++) {
    const [into, from] = round % 2 === 0 ? [1, 2] as const : [2, 1] as const
    await register(into)
    t.match(await merge(into, from), { outcome: 'merged' })
  }
  t.equal((await history.list(2, 1_000)).length, 1 + 3 * rounds)
  t.match(await customers.erase(2, any, NO_ACTOR), { changes: 1 + 3 * rounds })
})
