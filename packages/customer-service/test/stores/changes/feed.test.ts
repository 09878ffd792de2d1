import { connectTo, onPostgresql } from '@frontdesk/test-kit/database'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { build, PATH } from '../../support/helper.js'

export const onBothDatabases = true

type Service = Awaited<ReturnType<typeof build>>

const form = (id: number) => ({ customerid: id, customername: `name ${id}`, customerage: 33, customeraddress: 'piliyandala' })

/** A cursor of a position, with any mark. */
const at = (position: number) => ({ position, mark: /^[0-9a-f]{12}$/ })

/** What a reader gets from a place on, and where it continues. */
async function read ({ feed }: Pick<Service, 'feed'>, start: Parameters<Service['feed']['read']>[0], limit = 1_000) {
  const page = await feed.read(start, limit)
  if ('gap' in page) throw new Error(page.gap)
  return page
}

// SQLite has one writer.
if (onPostgresql) {
  t.test('a change that commits after a later one is not lost, as it is to a reader that remembers the highest seq', async t => {
    const service = await build(t)
    const [slow, fast] = [await connectTo(service.config.databaseUrl), await connectTo(service.config.databaseUrl)]
    t.teardown(async () => { await slow.close(); await fast.close() })
    const insert = (id: number) => `
      INSERT INTO customer_change (customer_id, version, kind, at, fields) VALUES (${id}, 1, 'registered', clock_timestamp(), '')`
    const naive = async (last: bigint) => await service.db.customerChange.findMany({ where: { seq: { gt: last } }, orderBy: { seq: 'asc' } })

    await slow.query(`BEGIN; ${insert(1)}`)
    await fast.query(insert(2))
    const seen = await naive(0n)
    const first = await read(service, 'oldest')
    t.same([seen.map(({ customerId }) => customerId), first.changes.map(({ customerId }) => customerId)], [[2], [2]])
    await slow.query('COMMIT')
    t.same(await naive(seen.at(-1)!.seq), [], 'the naive reader never sees it')
    t.match((await read(service, first.next)).changes, [{ customerId: 1, position: first.next.position + 1 }])
  })
}

t.test('of many changes by two processes, concurrent readers of both see each once and in the same order, those of a customer in theirs', async t => {
  const one = await build(t)
  const two = await build(t, { DATABASE_URL: one.config.databaseUrl, ISSUER: one.issuer.url, JWKS_URL: one.issuer.url })
  let isWriting = true
  const follow = async (service: Service, limit: number) => {
    const found: Array<{ position: number, customerId: number, version: number, kind: string }> = []
    for (let next = await service.feed.findEnd('oldest'), isLast = false; ;) {
      const page = await read(service, next, limit)
      found.push(...page.changes)
      next = page.next
      if (isLast && page.changes.length === 0) return found
      isLast = !isWriting
      // Reads of SQLite alone would never let requests in.
      await setImmediate()
    }
  }
  const readers = [follow(one, 3), follow(one, 1_000), follow(two, 10), follow(two, 1_000)]
  let committed = 0
  const write = async (lane: number, step: number) => {
    const id = (lane + step) % 3 + 1
    const requests: Array<[method: string, path: string, options: object]> = [
      ['POST', PATH, { form: form(id) }], ['PATCH', `${PATH}/${id}`, { form: { customerage: step } }], ['DELETE', `${PATH}/${id}`, {}]
    ]
    const [method, path, options] = requests[(lane + 2 * step) % requests.length]!
    const { statusCode } = await (lane % 2 === 0 ? one : two).send(method, path, { token: one.everything, ...options })
    if (statusCode < 300) committed++
  }
  await Promise.all(Array.from({ length: 8 }, async (_, lane) => { for (let step = 0; step < 12; step++) await write(lane, step) }))
  isWriting = false
  const [found = [], ...others] = await Promise.all(readers)

  t.ok(committed > 20, `${committed} changes`)
  t.same(found.map(({ position }) => position), Array.from({ length: committed }, (_, index) => index + 1), 'each once, without gaps')
  for (const other of others) t.same(other, found)
  const ofEach = (changes: Array<{ customerId: number, version: number, kind: string }>) =>
    [1, 2, 3].map(id => changes.filter(({ customerId }) => customerId === id).map(({ version, kind }) => [version, kind]))
  t.same(ofEach(found), ofEach(await one.db.customerChange.findMany({ orderBy: { seq: 'asc' } })))
})

t.test('a reader begins with the oldest change that is kept or the next one, and reads page by page', async t => {
  const service = await build(t)
  const { next: begin } = await read(service, 'latest')
  t.match(begin, at(0))
  t.same(await read(service, 'oldest'), { changes: [], next: begin })
  for (const id of [1, 2, 3]) await service.register(id)
  const { changes, next } = await read(service, 'oldest', 2)
  t.match(changes, [{ position: 1, customerId: 1, kind: 'registered', fields: 'name,age,address' }, { position: 2, customerId: 2 }])
  const { changes: [third], next: end } = await read(service, next, 2)
  t.match(third, { customerId: 3, ...end })
  t.match(end, at(3))
  t.same(await read(service, end), { changes: [], next: end })
  t.same(await read(service, 'latest'), { changes: [], next: end })
  t.match((await read(service, begin)).changes, [{ customerId: 1 }, { customerId: 2 }, { customerId: 3 }])
  t.equal((await service.feed.find(2))?.customerId, 2)
  t.equal(await service.feed.find(4), null)
})

t.test('a reader that comes after changes were removed learns it; one that has read them all has missed nothing', async t => {
  const service = await build(t, { HISTORY_DAYS: '0', FEED_DAYS: '1' })
  const later = () => new Date(Date.now() + 25 * 3_600_000)
  await service.register(1)
  await service.register(2)
  const { next: first } = await read(service, 'oldest', 1)
  const { next: second } = await read(service, first)
  t.equal(second.position, 2)
  t.equal(await service.changes.removeExpired(later()), 2)
  t.match(await service.feed.read(first, 10), { gap: 'removed', next: second })
  t.same(await read(service, 'oldest'), { changes: [], next: second })
  await service.register(3)
  const { changes: [third], next: last } = await read(service, second)
  t.match(third, { customerId: 3 })

  await service.register(4)
  await service.changes.removeExpired(later())
  t.match(await service.feed.read(last, 10), { gap: 'removed' }, 'it was removed without ever having had a position')
  const { next } = await read(service, 'oldest')
  await service.register(5)
  t.match((await read(service, next)).changes, [{ customerId: 5 }])

  // While nothing is recorded, every reader misses changes.
  await build(t, { DATABASE_URL: service.config.databaseUrl, HISTORY_DAYS: '0', FEED_DAYS: '0' })
  const { next: end } = await read(service, 'latest')
  t.equal(end.position, next.position + 2)
  t.match(await service.feed.read(next, 10), { gap: 'removed', next: end })
  t.same(await service.db.feedRun.count(), 1, 'runs are kept as long as the feed')
})

t.test('a reader that saw an empty feed learns that changes were removed before anyone read them', async t => {
  const { feed, changes, register, db } = await build(t, { HISTORY_DAYS: '0', FEED_DAYS: '1' })
  const { next } = await read({ feed }, 'latest')
  t.match(next, at(0))
  await register(1)
  await feed.catchUp()
  await changes.removeExpired(new Date(Date.now() + 25 * 3_600_000))
  t.match(await feed.read(next, 10), { gap: 'removed' })
  await register(2)
  await feed.catchUp()
  t.equal(await db.customerChange.count({ where: { position: null } }), 1, 'the clean-up still assigns no positions: none are asked for')
  const { changes: kept } = await read({ feed }, 'oldest')
  t.match(kept, [{ customerId: 2 }])
})

t.test('once the feed was read, the clean-up assigns positions, so that few are left for a reader that comes seldom', async t => {
  const { register, feed, db } = await build(t)
  const count = async () => await db.customerChange.count({ where: { position: { not: null } } })
  await register(1)
  await feed.catchUp()
  t.equal(await count(), 0)
  await feed.read('latest', 1)
  await register(2)
  await feed.catchUp()
  t.equal(await count(), 2)
})
