import { Outgoing } from '@frontdesk/service-kit/outgoing/outgoing'
import pg from 'pg'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { FeedCursor } from '../packages/customer-service/src/stores/changes/feed-cursor.js'
import { ask, copyInUse, receive, retry } from './support/feed-restored/replaced.js'
import { load } from './support/load.js'
import { Postgres } from './support/stack.js'

const { loadConfig } = await load<typeof import('../packages/customer-service/src/config.js')>('customer-service', 'config.js')
const { openDatabase } = await load<typeof import('../packages/customer-service/src/stores/open.js')>('customer-service', 'stores/open.js')
const { Deliverer } = await load<typeof import('../packages/customer-service/src/customer/webhooks/deliverer.js')>(
  'customer-service',
'customer/webhooks/deliverer.js'
)
const { createRepresent } = await load<typeof import('../packages/customer-service/src/customer/event.js')>(
  'customer-service',
'customer/event.js'
)

type Database = Awaited<ReturnType<typeof openDatabase>>

const NO_ACTOR = { sub: null, clientId: null, requestId: null, operationId: null }
const represent = createRepresent('/rest/qa/customer')

/** What a backup has, what is changed after it, and what after its restore. */
const [SAVED, LOST, ADDED] = [30, 15, 20]

/** A way to save a database in use, and to go back to that. */
interface Place { url: string, save: () => Promise<void>, restore: () => Promise<void> }

async function testRestore (t: Test, { url, save, restore }: Place) {
  const open = async () => await openDatabase(loadConfig({ DATABASE_URL: url, AUTH: 'none' }))
  let database = await open()
  t.teardown(async () => await database.close())
  const register = async (from: number, count: number) => {
    for (let id = from; id < from + count; id++) {
      await retry(() => database.stores.customers.register({ id, name: `name ${id}`, age: 1, address: 'x' }, NO_ACTOR))
    }
  }
  const receiver = await receive(t)
  const { position, mark } = await database.stores.feed.findEnd('oldest')
  const values = `'wh_1', '${receiver.url}', 'whsec_AAAA', ${position}, '${mark}', CURRENT_TIMESTAMP, CURRENT_TIMESTAMP`
  await database.connection.run({ sql: `INSERT INTO webhook (id, url, secret, position, mark, next_attempt, created_at) VALUES (${values})`, args: [] })
  const deliver = async () => await retry(async () => await deliverAll(database))

  await register(1, SAVED)
  const saved = await readOn(database, 'oldest')
  await deliver()
  await save()
  await register(1_001, LOST)
  const before = await readOn(database, saved.next)
  await deliver()
  t.same([saved.events.length, before.events.length, receiver.events.length], [SAVED, LOST, SAVED + LOST])

  if (url.startsWith('file:')) await database.close()
  await restore()
  if (url.startsWith('file:')) database = await open()
  const { feed } = database.stores
  const ahead = await retry(() => feed.read(before.next, 100))
  t.match(ahead, { gap: 'replaced', next: { position: SAVED, mark: saved.next.mark } }, 'ahead of the end')
  await register(2_001, ADDED)
  for (const cursor of before.cursors) {
    t.match(await feed.read(cursor, 100), { gap: 'replaced', next: { position: SAVED + ADDED } }, `at ${cursor.position}, which is of others now`)
  }
  for (const cursor of saved.cursors) t.notOk('gap' in await feed.read(cursor, 100), `at ${cursor.position}, from before the backup`)

  const after = await readOn(database, saved.next)
  t.same(after.events.map(({ subject }) => subject), Array.from({ length: ADDED }, (_, index) => `${2_001 + index}`))
  const ids = new Set(before.events.map(({ id }) => id))
  t.same(after.events.filter(({ id }) => ids.has(id)), [], 'no id is that of another event')

  await deliver()
  t.match(await database.stores.webhooks.find('wh_1'), { disabledReason: null, ...after.next })
  const received = new Map<string, Set<string>>()
  for (const { message, subject } of receiver.events) received.set(message, (received.get(message) ?? new Set()).add(subject))
  t.same([...received].filter(([, subjects]) => subjects.size > 1), [], 'no webhook-id is that of another event')
  t.same(after.events.filter(({ id }) => !received.has(`wh_1.${id}`)), [], 'and none is missing')

  // As a consumer begins again: with the end of the feed, then the list.
  if (!('gap' in ahead)) throw new Error('no gap')
  const { next } = await feed.read(before.next, 100)
  await register(3_001, 1)
  t.match(await feed.read(next, 100), { changes: [{ customerId: 3_001 }] })
  const [first, second] = after.cursors
  await database.stores.customers.erase(2_001, 'any', NO_ACTOR)
  t.match(await feed.read(first!, 1), { changes: [{ ...second }] }, 'at an erased change')
}

/** Reads pages of a few changes until there are no more: their events, and a cursor after each. */
async function readOn ({ stores: { feed } }: Database, start: Parameters<typeof feed.read>[0]) {
  const events: Array<ReturnType<typeof represent>> = []
  const cursors: FeedCursor[] = []
  for (let after = start; ;) {
    const page = await feed.read(after, 7)
    if ('gap' in page) throw new Error(page.gap)
    events.push(...page.changes.map(represent))
    cursors.push(...page.changes.map(({ position, mark }) => ({ position, mark })))
    if (page.changes.length === 0) return { events, cursors, next: page.next }
    after = page.next
  }
}

/** Delivers until there is nothing to deliver. */
async function deliverAll ({ stores: { webhooks, feed } }: Database) {
  const outgoing = new Outgoing({ allowPrivateNetworks: true, maxAtOnce: 1 })
  const deliverer = new Deliverer({ webhooks, feed, outgoing, represent, log: { warn () {} } })
  for (;;) {
    const [webhook, last] = [await webhooks.find('wh_1'), await feed.findEnd('latest')]
    if (webhook?.position === last.position && webhook.mark === last.mark) return
    await Promise.all(await deliverer.begin())
  }
}

await t.test('a copied SQLite file takes the place of the one in use', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-feed-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const [file, copy] = ['customers.db', 'copy.db'].map(name => join(folder, name)) as [string, string]
  await testRestore(t, {
    url: `file:${file}`,
    save: async () => await copyInUse(file, copy),
    restore: async () => await copyFile(copy, file)
  })
})

await t.test('a backup is restored into the same cluster', async t => {
  const server = await Postgres.create()
  t.teardown(() => server.remove())
  await server.start()
  await ask(server.url, 'CREATE DATABASE customers')
  const close = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = \'customers\''
  const copy = (from: string, to: string) => ask(
    server.url,
    `ALTER DATABASE ${from} ALLOW_CONNECTIONS false`, close, `CREATE DATABASE ${to} TEMPLATE ${from}`, `ALTER DATABASE ${from} ALLOW_CONNECTIONS true`
  )
  await testRestore(t, {
    url: server.url.replace(/postgres$/, 'customers'),
    save: async () => await copy('customers', 'saved'),
    async restore () {
      await ask(server.url, 'DROP DATABASE customers WITH (FORCE)')
      await copy('saved', 'customers')
    }
  })
})

await t.test('a snapshot of the data directory takes the place of the server', async t => {
  const server = await Postgres.create()
  t.teardown(() => server.remove())
  await server.start()
  let snapshot: Postgres | undefined
  await testRestore(t, {
    url: server.url,
    async save () {
      await server.stop()
      snapshot = await server.copy()
      t.teardown(() => snapshot!.remove())
      await server.start()
    },
    async restore () {
      await server.kill()
      snapshot!.port = server.port
      await snapshot!.start()
    }
  })
})

await t.test('a standby that lags is promoted', async t => {
  const primary = await Postgres.create()
  const standby = await primary.copy()
  for (const server of [primary, standby]) t.teardown(() => server.remove())
  standby.own(join(standby.data, 'standby.signal'), '')
  const follow = async () => await standby.start({ primary_conninfo: primary.url, hot_standby: 'on' })
  await primary.start({ wal_level: 'replica' })
  await follow()
  await testRestore(t, {
    url: primary.url,
    async save () {
      const client = new pg.Client(primary.url)
      await client.connect()
      const { rows: [{ lsn }] } = await client.query('SELECT pg_current_wal_lsn()::text AS lsn')
      await client.end()
      const reader = new pg.Client(standby.url)
      await reader.connect()
      while (!(await reader.query('SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS done', [lsn])).rows[0].done) await setTimeout(10)
      await reader.end()
      await standby.stop()
    },
    async restore () {
      await primary.kill()
      standby.port = primary.port
      await follow()
      await ask(standby.url, 'SELECT pg_promote()')
    }
  })
})
