import { connectTo, onPostgresql } from '@frontdesk/test-kit/database'
import { readFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { build, PATH } from '../../support/helper.js'

export const onBothDatabases = true

type Service = Awaited<ReturnType<typeof build>>

const form = (id: number, address = 'Rue du Secret 7') => ({ customerid: id, customername: 'Zebedee', customerage: 33, customeraddress: address })

const parse = (text: string | null) => text === null ? null : JSON.parse(text)

/** Everything in the tables, as text. */
async function textOf ({ db }: Service) {
  return JSON.stringify([
    await db.customer.findMany(), await db.customerChange.findMany(), await db.idempotencyKey.findMany(), await db.importProgress.findMany()
  ], (_, value) => typeof value === 'bigint' ? `${value}` : value)
}

t.test('erase removes a customer, its history, its events and stored answers, and leaves one record without values', async t => {
  const service = await build(t)
  const { send, register, read, feed, everything } = service
  await register(2, 'Amelia')
  await send('POST', PATH, { form: form(1), headers: { 'idempotency-key': 'k' } })
  await feed.read('oldest', 10)
  await send('PATCH', `${PATH}/1`, { form: { customeraddress: 'Allée du Secret 8' } })
  const csv = 'number,name,age,address\n1,Zebedee,33,Rue du Secret 7\n3,Cleo,old,x\n'
  const imported = () => send('POST', `${PATH}/import`, { form: Buffer.from(csv), headers: { 'content-type': 'text/csv', 'idempotency-key': 'file' } })
  t.match((await imported()).json().errors, [{ line: 2, customerid: 1 }, { line: 3, customerid: 3 }])
  const { next } = await feed.read('oldest', 2)

  const answer = await send('POST', `${PATH}/1/erase`)
  t.equal(answer.statusCode, 200)
  t.equal(answer.headers['cache-control'], 'no-store')
  t.match(answer.json(), { customerid: 1, erasedAt: /^\d{4}-.*Z$/, requestId: answer.headers['x-request-id'] })
  t.same(answer.json().removed, { customers: 1, changes: 2, idempotencyKeys: 1, importReports: 1 })

  t.equal(await read(1), 404)
  t.match(await textOf(service), /Amelia/)
  t.notMatch(await textOf(service), /Zebedee|Secret/)
  t.match((await send('GET', `${PATH}/1/history`)).json().items, [{ kind: 'erased', before: null, after: null, requestId: answer.headers['x-request-id'] }])
  t.match((await imported()).json().errors, [{ line: 2, customerid: undefined }, { line: 3, customerid: 3 }])
  t.match(await feed.read(next, 10), { changes: [{ customerId: 1, kind: 'erased', fields: 'name,age,address' }] }, 'a reader that resumes misses nothing')
  t.match(await feed.read('oldest', 10), { changes: [{ customerId: 2, kind: 'registered' }, { customerId: 1, kind: 'erased' }] })
  t.match((await send('GET', `${PATH}/events`, { token: everything })).json().events[1], { type: 'customer.erased.v1', subject: '1' })

  t.match((await send('POST', `${PATH}/1/erase`)).json(), { status: 404, detail: 'There is no data about a customer with the identifier 1.' })
  t.equal((await service.db.customerChange.count({ where: { customerId: 1 } })), 1, 'a refused request changes nothing')
  t.equal((await send('POST', PATH, { form: form(1), headers: { 'idempotency-key': 'k' } })).headers['idempotent-replayed'], undefined)
})

t.test('erase knows removed customers, honours If-Match, needs customer:delete and takes no body', async t => {
  const { send, register, read, issuer, db } = await build(t)
  const etag = await register(1)
  const erase = (options = {}) => send('POST', `${PATH}/1/erase`, options)
  t.equal((await erase({ token: await issuer.mint({ claims: { scope: 'customer:read customer:write' } }) })).statusCode, 403)
  t.equal((await erase({ headers: { 'if-match': '"1-text", "2-text"' } })).statusCode, 412)
  t.equal((await erase({ form: 'a=b' })).statusCode, 415)
  t.equal((await send('GET', `${PATH}/1/erase`)).headers.allow, 'POST, OPTIONS')
  t.equal((await send('POST', `${PATH}/0/erase`)).statusCode, 404)
  t.equal((await read(1)).customerid, 1)

  await send('DELETE', `${PATH}/1`)
  t.equal((await erase({ headers: { 'if-match': etag } })).statusCode, 412, 'a removed customer has no ETag')
  t.same((await erase({ headers: { 'if-match': '*' } })).json().removed, { customers: 0, changes: 2, idempotencyKeys: 0, importReports: 0 })
  t.match(await db.customerChange.findMany(), [{ kind: 'erased', version: Number(/\d+/.exec(etag)![0]) }])
  t.equal(await db.customer.count(), 0)
  t.same((await erase({ headers: { 'if-match': await register(1) } })).json().removed.customers, 1)
})

t.test('without a change feed erase leaves nothing', async t => {
  const { send, register, db } = await build(t, { FEED_DAYS: '0' })
  await register(1)
  t.equal((await send('POST', `${PATH}/1/erase`)).statusCode, 200)
  t.equal(await db.customerChange.count(), 0)
  t.equal((await send('GET', `${PATH}/1/history`)).statusCode, 404)
})

// SQLite has one writer.
if (onPostgresql) {
  t.test('erase waits for a change and for a registration that are about to commit, and removes them, too', async t => {
    const service = await build(t)
    const other = await connectTo(service.config.databaseUrl)
    t.teardown(() => other.close())
    const record = (after: string) => `INSERT INTO customer_change (customer_id, version, kind, at, fields, after)
      VALUES (1, 1, 'updated', clock_timestamp(), 'address', '{"name":"Zebedee","age":33,"address":"${after}"}')`
    await service.register(1)
    for (const write of [
      "UPDATE customer SET address = 'Secret 1' WHERE id = 1",
      "INSERT INTO customer (id, name, name_key, age, address, version, updated_at) VALUES (1, 'Zebedee', 'Zebedee', 1, 'Secret 2', 1, clock_timestamp())"
    ]) {
      await other.query(`BEGIN; ${record('Secret')}; ${write}`)
      const erasing = { isOver: false }
      const answer = service.send('POST', `${PATH}/1/erase`).finally(() => { erasing.isOver = true })
      const isWaiting = async () =>
        (await service.db.$queryRaw<unknown[]>`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).length > 0
      while (!await isWaiting() && !erasing.isOver);
      await other.query('COMMIT')
      t.equal((await answer).statusCode, 200)
      t.notMatch(await textOf(service), /Zebedee|Secret/, write)
      t.equal(await service.read(1), 404)
      // Its customer was removed before.
      await service.register(1)
      await service.send('DELETE', `${PATH}/1`)
    }
  })
} else {
  t.test('what was erased or overwritten is not in the file, either', async t => {
    const { send, db, config } = await build(t)
    await send('POST', PATH, { form: form(1) })
    await send('PATCH', `${PATH}/1`, { form: { customeraddress: 'Allée du Secret 8' } })
    const find = async () => {
      await db.$queryRawUnsafe('PRAGMA wal_checkpoint(TRUNCATE)')
      return (await readFile(config.databaseUrl.slice('file:'.length), 'latin1')).match(/Zebedee|Secret/)?.[0]
    }
    t.equal(await find(), 'Zebedee')
    await send('POST', `${PATH}/1/erase`)
    t.equal(await find(), undefined)
  })
}

t.test('of many requests at once to two processes, those before an erasure leave nothing behind it', async t => {
  const one = await build(t)
  const two = await build(t, { DATABASE_URL: one.config.databaseUrl, ISSUER: one.issuer.url, JWKS_URL: one.issuer.url })
  await one.register(9)
  const counts: Record<string, number> = {}
  let isWriting = true
  const readFeed = async () => {
    const found: Array<{ position: number, customerId: number, kind: string }> = []
    for (let next = await two.feed.findEnd('oldest'), isLast = false; ; isLast = !isWriting) {
      const page = await two.feed.read(next, 10)
      if ('gap' in page) throw new Error(page.gap)
      found.push(...page.changes)
      next = page.next
      if (isLast && page.changes.length === 0) return found
      // Reads of SQLite alone would never let requests in.
      await setImmediate()
    }
  }
  const reader = readFeed()
  const ask = async (lane: number, step: number) => {
    const id = (lane + step) % 2 + 1
    const requests: Array<[method: string, path: string, options?: object]> = [
      ['POST', PATH, { form: form(id) }], ['POST', `${PATH}/${id}/erase`], ['PATCH', `${PATH}/${id}`, { form: { customeraddress: `Secret ${lane}-${step}` } }],
      ['POST', PATH, { form: form(id), headers: { 'idempotency-key': `${lane}-${step}` } }], ['DELETE', `${PATH}/${id}`],
      ['PATCH', `${PATH}/9`, { form: { customerage: step } }], ['POST', `${PATH}/${id}/erase`]
    ]
    const [method, path, options] = requests[(lane * 5 + step * 3) % requests.length]!
    const { statusCode } = await (lane % 2 === 0 ? one : two).send(method, path, { token: one.everything, ...options })
    const name = `${method} ${path.replace(/\d/, 'n')} ${statusCode}`
    counts[name] = (counts[name] ?? 0) + 1
    // 503: callers that queue at one number for too long, on a busy machine.
    t.ok(statusCode < 500 || statusCode === 503, name)
  }
  await Promise.all(Array.from({ length: 8 }, async (_, lane) => { for (let step = 0; step < 24; step++) await ask(lane, step) }))

  for (const id of [1, 2]) {
    const changes = await one.db.customerChange.findMany({ where: { customerId: id }, orderBy: { seq: 'asc' } })
    t.ok(changes.every(({ kind }, index) => (kind === 'erased') === (index === 0)), 'an erasure is the first of what is left')
    let known: { address: string } | null = null
    for (const { before, after } of changes.map(change => ({ before: parse(change.before), after: parse(change.after) }))) {
      t.same(before, known)
      known = after
    }
    t.equal((await one.db.customer.findUnique({ where: { id } }))?.address, known?.address)
  }
  isWriting = false
  const found = await reader
  t.equal(found.filter(({ customerId }) => customerId === 9).length, await one.db.customerChange.count({ where: { customerId: 9 } }), 'events of others are all there')
  for (const id of [1, 2]) {
    const last = (await one.db.customerChange.findMany({ where: { customerId: id }, orderBy: { seq: 'desc' }, take: 1 }))[0]
    t.match(found.findLast(({ customerId }) => customerId === id), { kind: last!.kind, position: Number(last!.position) })
    await one.send('POST', `${PATH}/${id}/erase`)
  }
  t.ok(counts[`POST ${PATH}/n/erase 200`]! > 5, JSON.stringify(counts))
  t.notMatch(await textOf(one), /Zebedee|Secret/)
})
