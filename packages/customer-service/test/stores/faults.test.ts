import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { connectTo, onPostgresql } from '@frontdesk/test-kit/database'
import { lockCustomers } from '../support/lock-customers.js'
import { PATH, build, standardWaits } from '../support/helper.js'

export const onBothDatabases = true

const form = { customerid: 1, customername: 'charitha', customerage: 33, customeraddress: 'piliyandala' }
const unavailable = { status: 503, type: '/problems/database-unavailable', retryAfter: /^\d+$/ }
type Service = Awaited<ReturnType<typeof build>>

/** Every write, and what it answers when the database is well. */
const writes = [
  { method: 'PUT', path: PATH, request: { form: { customername: 'charitha', customeraddress: 'colombo' } }, status: 204 },
  { method: 'POST', path: PATH, request: { form: { ...form, customerid: 2 } }, status: 201 },
  { method: 'POST', path: PATH, request: { form: { ...form, customerid: 3 }, headers: { 'idempotency-key': 'three' } }, status: 201 },
  { method: 'PATCH', path: `${PATH}/1`, request: { form: { customerage: 34 } }, status: 204 },
  { method: 'DELETE', path: `${PATH}/1`, request: {}, status: 204 }
]

async function refuseAll (service: Service) {
  return await Promise.all(writes.map(async ({ method, path, request }) => {
    const answer = await service.send(method, path, request)
    return { retryAfter: answer.headers['retry-after'], ...answer.json() }
  }))
}

standardWaits(t)

t.test('locked by another process for 10 s: writes 503 within 3 s, reads go on, and then all is well', async t => {
  const service = await build(t)
  await service.register(1)
  const unlock = await lockCustomers(service.config.databaseUrl)
  // PostgreSQL's waiting statements take a connection each; on SQLite all wait for one.
  const crowd = Promise.all(Array.from({ length: onPostgresql ? 4 : 100 }, async (_, index) => {
    const start = Date.now()
    const { statusCode } = await service.send('POST', PATH, { form: { ...form, customerid: 100 + index } })
    return { statusCode, ms: Date.now() - start }
  }))
  await setTimeout(200)
  const start = Date.now()
  t.equal((await service.send('GET', `${PATH}/1`)).statusCode, 200)
  t.ok(Date.now() - start < 500, `a read took ${Date.now() - start} ms while writes were waiting`)
  t.equal((await service.send('GET', `${PATH}?sort=name`)).statusCode, 200)
  t.ok(Date.now() - start < 1_500, `a list took ${Date.now() - start} ms`)
  for (const answer of await refuseAll(service)) t.match(answer, unavailable)
  for (const { statusCode, ms } of await crowd) t.ok(statusCode === 503 && ms < 3_000, `${statusCode} after ${ms} ms`)
  await unlock()
  for (const { method, path, request, status } of writes) t.equal((await service.send(method, path, request)).statusCode, status)
})

t.test('a short lock is waited for', async t => {
  const service = await build(t)
  const unlock = await lockCustomers(service.config.databaseUrl)
  const posted = service.send('POST', PATH, { form })
  await setTimeout(300)
  await unlock()
  t.equal((await posted).statusCode, 201)
})

t.test('a read-only or full database: 503, never a wrong 404 or 204, and recovery without a restart', async t => {
  const faults: Array<[name: string, begin: string, end: string]> = onPostgresql
    ? [['read-only', 'SET default_transaction_read_only = on', 'SET default_transaction_read_only = off']]
    : [
        ['read-only', 'PRAGMA query_only = ON', 'PRAGMA query_only = OFF'],
        ['full', 'PRAGMA max_page_count = 1', 'PRAGMA max_page_count = 1000000']
      ]
  for (const [name, begin, end] of faults) {
    const service = await build(t)
    await service.register(1)
    await change(service, begin)
    const statuses = []
    for (let id = 100; id < 140; id++) {
      const filler = { ...form, customerid: id, customername: 'filler', customeraddress: 'x'.repeat(200) }
      statuses.push((await service.send('POST', PATH, { form: filler })).statusCode)
    }
    t.equal(statuses.at(-1), 503, name)
    t.ok(statuses.every(status => status === 503 || (name === 'full' && status === 201)), `${name}: ${statuses.join()}`)
    if (name === 'read-only') {
      for (const answer of await refuseAll(service)) {
        t.match(answer, { ...unavailable, detail: 'The customer register can only be read at the moment. Nothing was changed.' }, name)
      }
    }
    for (const path of [`${PATH}/1`, `${PATH}?sort=name`]) {
      t.equal((await service.send('GET', path)).statusCode, 200, `${name}: reads go on`)
    }
    await change(service, end)
    for (const { method, path, request, status } of writes) {
      t.equal((await service.send(method, path, request)).statusCode, status, `${name}: ${method} afterwards`)
    }
    const kept = await service.db.customer.count({ where: { name: 'filler' } })
    t.equal(kept, statuses.filter(status => status === 201).length, `${name}: what was acknowledged is there, and nothing else`)
  }
})

if (onPostgresql) {
  t.test('connections that the database ends: never a wrong answer, and all is well again at once', async t => {
    const service = await build(t)
    await service.register(1)
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([service.send('GET', `${PATH}/1`), endConnections(service), service.send('GET', `${PATH}/1`)])
      for (const answer of answers) if (answer !== undefined) t.ok([200, 503].includes(answer.statusCode), String(answer.statusCode))
    }
    await setTimeout(50)
    t.equal((await service.send('GET', `${PATH}/1`)).statusCode, 200)
  })
}

if (onPostgresql) {
  t.test('a database that accepts no connections, or is renamed for a while: 503', async t => {
    const service = await build(t)
    await service.register(1)
    const name = new URL(service.config.databaseUrl).pathname.slice(1)
    const operator = await connectTo(process.env.TEST_DATABASE_URL ?? '')
    t.teardown(() => operator.close())
    for (const [begin, end] of [
      [`${name} ALLOW_CONNECTIONS false`, `${name} ALLOW_CONNECTIONS true`],
      [`${name} RENAME TO ${name}_away`, `${name}_away RENAME TO ${name}`]
    ] as const) {
      const kick = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`
      await operator.query(begin.endsWith('false') ? `ALTER DATABASE ${begin}; ${kick}` : kick)
      if (!begin.endsWith('false')) await operator.query(`ALTER DATABASE ${begin}`)
      await setTimeout(50)
      for (const answer of await refuseAll(service)) t.match(answer, unavailable, begin)
      await operator.query(`ALTER DATABASE ${end}`)
      t.equal((await service.send('GET', `${PATH}/1`)).statusCode, 200)
    }
  })
}

t.test('readiness says when the database does not answer', async t => {
  const service = await build(t)
  await service.register(1)
  await service.db.$executeRawUnsafe('ALTER TABLE customer RENAME TO gone')
  const ready = await service.send('GET', '/health/ready')
  t.equal(ready.statusCode, 503)
  t.match(ready.json(), { status: 'unavailable', checks: { database: 'does not answer', keys: 'ok' } })
  t.equal((await service.send('GET', '/health/live')).statusCode, 200)
  for (const path of [`${PATH}/1`, PATH, `${PATH}?q=charitha&total=true`]) {
    t.equal((await service.send('GET', path)).statusCode, onPostgresql ? 503 : 500, path)
  }
  await service.db.$executeRawUnsafe('ALTER TABLE gone RENAME TO customer')
  t.equal((await service.send('GET', '/health/ready')).statusCode, 200)
})

t.test('a database that the next release has migrated is used as it is', async t => {
  const { config, register } = await build(t)
  await register(1)
  const next = await connectTo(config.databaseUrl)
  await next.query('ALTER TABLE customer ADD COLUMN of_next_release TEXT')
  await next.query(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('next', 'x', '29991231000000_next', CURRENT_TIMESTAMP)"
  )
  await next.close()
  const service = await build(t, { DATABASE_URL: config.databaseUrl })
  t.equal((await service.send('GET', `${PATH}/1`)).body, 'charitha')
  for (const { method, path, request, status } of writes) {
    t.equal((await service.send(method, path, request)).statusCode, status, `${method} ${path}`)
  }
})

/** Changes a setting of the database for every connection that the service has, or will have. */
async function change (service: Service, setting: string) {
  if (!onPostgresql) {
    await service.db.$queryRawUnsafe(setting)
    await service.run({ sql: setting, args: [] })
    return
  }
  const name = new URL(service.config.databaseUrl).pathname.slice(1)
  const other = await connectTo(service.config.databaseUrl)
  await other.query(`BEGIN; SET TRANSACTION READ WRITE; ALTER DATABASE ${name} ${setting}; COMMIT`)
  await other.close()
  await endConnections(service)
  await setTimeout(50)
}

async function endConnections ({ config }: Service) {
  const other = await connectTo(config.databaseUrl)
  await other.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()')
  await other.close()
}
