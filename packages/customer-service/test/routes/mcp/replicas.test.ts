import { onPostgresql } from '@frontdesk/test-kit/database'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { buildForAssistants, callOf } from '../../support/assistant.js'
import { PATH } from '../../support/helper.js'

export const onBothDatabases = true

const ann = { customerid: 1, customername: 'ann', customerage: 30, customeraddress: 'Galle' }

/** Two replicas on one database; SQLite has one process for a file. */
async function replicas (t: Test) {
  const first = await buildForAssistants(t)
  const second = onPostgresql ? await buildForAssistants(t, { DATABASE_URL: first.config.databaseUrl }) : first
  /** Calls a tool from eight assistants at once, half of them at each replica. */
  const race = async (name: string, args: (lane: number) => Record<string, unknown>) => await Promise.all(
    Array.from({ length: 8 }, async (_, lane) => {
      const { statusCode, body } = await (lane % 2 === 0 ? first : second).post(callOf(name, args(lane)))
      t.equal(statusCode, 200, body)
      return JSON.parse(body).result
    }))
  return { ...first, race }
}

t.test('of concurrent changes to a version exactly one succeeds, and the others are told', async t => {
  const { race, register, read } = await replicas(t)
  const etag = await register(1)
  const results = await race('change_customer', lane => ({ customerid: 1, ifMatch: etag, customerage: lane }))
  const winners = results.flatMap(({ isError }, lane) => isError === true ? [] : [lane])
  t.equal(winners.length, 1)
  t.match(await read(1), { customerage: winners[0] })
  for (const { content } of results.filter(({ isError }) => isError)) {
    t.match(content, [{ text: 'The ETag you sent is not the customer\'s current ETag. Nothing was changed.' }])
  }
})

t.test('of concurrent removals of a version exactly one succeeds', async t => {
  const { race, register, db } = await replicas(t)
  const etag = await register(1)
  const results = await race('remove_customer', () => ({ customerid: 1, ifMatch: etag }))
  t.equal(results.filter(({ isError }) => isError !== true).length, 1)
  t.equal(await db.customerChange.count({ where: { kind: 'removed' } }), 1)
})

t.test('of concurrent restorations of a removed customer exactly one adds it, and the others overwrite nothing', async t => {
  const { race, register, send, db } = await replicas(t)
  const version = Number(/\d+/.exec(await register(1))?.[0])
  await send('DELETE', `${PATH}/1`)
  const results = await race('restore_customer', () => ({ customerid: 1, version }))
  t.equal(results.filter(({ isError }) => isError !== true).length, 1)
  t.same(await db.customerChange.groupBy({ by: ['kind'], _count: true, orderBy: { kind: 'asc' } }), ['registered', 'removed', 'restored']
    .map(kind => ({ kind, _count: 1 })))
})

t.test('restorations without ifMatch that race a removal add the customer again or fail, but never overwrite it', async t => {
  const { race, register, send, db } = await replicas(t)
  let successes = 0
  for (let customerid = 1; customerid <= 10; customerid++) {
    const version = Number(/\d+/.exec(await register(customerid))?.[0])
    const restoring = race('restore_customer', () => ({ customerid, version }))
    await setTimeout(customerid * 2)
    t.equal((await send('DELETE', `${PATH}/${customerid}`)).statusCode, 204)
    successes += (await restoring).filter(({ isError }) => isError !== true).length
  }
  const restored = await db.customerChange.findMany({ where: { kind: 'restored' } })
  t.equal(restored.length, successes)
  t.ok(restored.every(({ before }) => before === null))
})

t.test('concurrent calls with one idempotency key add one customer, and all get its etag or are told to try again', async t => {
  const { race, db } = await replicas(t)
  const results = await race('register_customer', () => ({ ...ann, idempotencyKey: 'k' }))
  const done = results.filter(({ isError }) => isError !== true).map(({ structuredContent }) => structuredContent)
  t.ok(done.length > 0)
  t.equal(new Set(done.map(({ etag }) => etag)).size, 1)
  t.equal(done.filter(({ isReplay }) => !isReplay).length, 1)
  for (const { content } of results.filter(({ isError }) => isError)) t.match(content, [{ text: /^The first request with this Idempotency-Key is in progress/ }])
  t.equal(await db.customerChange.count(), 1)
})
