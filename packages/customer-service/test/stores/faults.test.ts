import Sqlite from 'better-sqlite3'
import { renameSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { PATH, build } from '../helper.js'

const form = { customerid: 1, customername: 'charitha', customerage: 33, customeraddress: 'piliyandala' }
const other = { ...form, customerid: 2 }

/** Every write, and what it answers when the database is well again. */
const writes: Array<[method: string, path: string, form: Record<string, string | number> | undefined, after: number]> = [
  ['PUT', PATH, { customername: 'charitha', customeraddress: 'colombo' }, 204],
  ['POST', PATH, other, 201],
  ['DELETE', `${PATH}/1`, undefined, 204]
]

async function writeAll ({ send }: Pick<Awaited<ReturnType<typeof build>>, 'send'>) {
  return await Promise.all(writes.map(async ([method, path, form]) => {
    const start = Date.now()
    const answer = await send(method, path, form === undefined ? {} : { form })
    return { ...answer.json(), retryAfter: answer.headers['retry-after'], ms: Date.now() - start }
  }))
}

t.test('locked by another process for 10 s: writes 503 within 3 s, reads go on, and then all is well', async t => {
  const service = await build(t)
  await service.register(1)
  const blocker = new Sqlite(service.config.databaseUrl.slice('file:'.length))
  blocker.exec('BEGIN IMMEDIATE')
  const crowd = Promise.all(Array.from({ length: 100 }, async (_, index) => {
    const start = Date.now()
    const { statusCode } = await service.send('POST', PATH, { form: { ...form, customerid: 100 + index } })
    return { statusCode, ms: Date.now() - start }
  }))
  await setTimeout(200)
  const start = Date.now()
  t.equal((await service.send('GET', `${PATH}/1`)).statusCode, 200)
  t.ok(Date.now() - start < 500, `a read took ${Date.now() - start} ms beside 100 waiting writes`)
  for (const answer of await writeAll(service)) t.match(answer, { status: 503, type: '/problems/database-unavailable', retryAfter: /^\d+$/ })
  for (const { statusCode, ms } of await crowd) t.ok(statusCode === 503 && ms < 3_000, `${statusCode} after ${ms} ms`)
  blocker.exec('ROLLBACK')
  blocker.close()
  for (const [method, path, form, after] of writes) t.equal((await service.send(method, path, form === undefined ? {} : { form })).statusCode, after)
})

t.test('a short lock is waited for', async t => {
  const service = await build(t)
  const blocker = new Sqlite(service.config.databaseUrl.slice('file:'.length))
  blocker.exec('BEGIN IMMEDIATE')
  const posted = service.send('POST', PATH, { form })
  await setTimeout(300)
  blocker.exec('COMMIT')
  blocker.close()
  t.equal((await posted).statusCode, 201)
})

t.test('a read-only or full database: 503, never a wrong 404 or 204, and recovery without a restart', async t => {
  const faults: Array<[name: string, begin: string, end: string]> = [
    ['read-only', 'PRAGMA query_only = ON', 'PRAGMA query_only = OFF'],
    ['full', 'PRAGMA max_page_count = 1', 'PRAGMA max_page_count = 1000000']
  ]
  for (const [name, begin, end] of faults) {
    const service = await build(t)
    await service.register(1)
    await service.db.$queryRawUnsafe(begin)
    const statuses = []
    for (let id = 100; id < 140; id++) statuses.push((await service.send('POST', PATH, { form: { ...form, customerid: id, customername: 'filler', customeraddress: 'x'.repeat(200) } })).statusCode)
    t.equal(statuses.at(-1), 503, name)
    t.ok(statuses.every(status => status === 503 || (name === 'full' && status === 201)), `${name}: ${statuses.join()}`)
    if (name === 'read-only') for (const answer of await writeAll(service)) t.match(answer, { status: 503, type: '/problems/database-unavailable' }, name)
    t.equal((await service.send('GET', `${PATH}/1`)).statusCode, 200, `${name}: reads go on`)
    await service.db.$queryRawUnsafe(end)
    for (const [method, path, form, after] of writes) t.equal((await service.send(method, path, form === undefined ? {} : { form })).statusCode, after, `${name}: ${method} afterwards`)
    const kept = await service.db.customer.count({ where: { name: 'filler' } })
    t.equal(kept, statuses.filter(status => status === 201).length, `${name}: what was acknowledged is there, and nothing else`)
  }
})

t.test('the file moved away: 503 or a right answer, and recovery when it is back', async t => {
  const service = await build(t)
  await service.register(1)
  const file = service.config.databaseUrl.slice('file:'.length)
  renameSync(file, `${file}.away`)
  const { statusCode } = await service.send('POST', PATH, { form: other })
  t.ok([201, 503].includes(statusCode), String(statusCode))
  renameSync(`${file}.away`, file)
  t.equal((await service.send('GET', `${PATH}/2`)).statusCode, statusCode === 201 ? 200 : 404)
  t.equal((await service.send('GET', `${PATH}/1`)).statusCode, 200)
})

t.test('readiness says when the database does not answer', async t => {
  const service = await build(t)
  await service.db.$executeRawUnsafe('ALTER TABLE customer RENAME TO gone')
  const ready = await service.send('GET', '/health/ready')
  t.equal(ready.statusCode, 503)
  t.match(ready.json(), { status: 'unavailable', checks: { database: 'does not answer', keys: 'ok' } })
  t.equal((await service.send('GET', '/health/live')).statusCode, 200)
  t.equal((await service.send('GET', `${PATH}/1`)).statusCode, 500)
  await service.db.$executeRawUnsafe('ALTER TABLE gone RENAME TO customer')
  t.equal((await service.send('GET', '/health/ready')).statusCode, 200)
})
