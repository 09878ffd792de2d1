import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { load } from './support/load.js'
import { Postgres, root } from './support/stack.js'

const LANES = 8
const ROUNDS = 20

const { loadConfig } = await load<typeof import('../packages/customer-service/src/config.js')>('customer-service', 'config.js')
const { openDatabase } = await load<typeof import('../packages/customer-service/src/stores/open.js')>('customer-service', 'stores/open.js')
const { standbyAsked } = await load<typeof import('../packages/customer-service/src/telemetry/events.js')>('customer-service', 'telemetry/events.js')

const primary = await Postgres.create()
const standby = await primary.copy()
for (const server of [primary, standby]) t.teardown(() => server.remove())
standby.own(join(standby.data, 'standby.signal'), '')
const startStandby = () => standby.start({ primary_conninfo: primary.url, hot_standby: 'on' })
await primary.start({ wal_level: 'replica' })
await startStandby()

/** What every list was answered by, and the errors, since it was asked last. */
let outcomes: string[] = []
let errors: string[] = []
t.teardown(standbyAsked.subscribe(({ outcome, error }) => {
  outcomes.push(outcome)
  if (error instanceof Error) errors.push(error.message)
}))

const env = { DATABASE_URL: primary.url, DATABASE_READ_URL: standby.url }
const replicas = await Promise.all([1, 2].map(() => openDatabase(loadConfig(env))))
t.teardown(() => Promise.all(replicas.map(replica => replica.close())))
const [one, other] = replicas.map(({ stores }) => stores) as [typeof replicas[0]['stores'], typeof replicas[0]['stores']]

/** All of the same length, so that none begins as another does. */
let last = 100_000

/** Registers a customer at one replica, changes and removes it, and asks another after each: what the lists get wrong. */
async function writeAndList (): Promise<string[]> {
  const id = ++last
  const words = [`w${id}`]
  const given = { id, name: `Ada W${id}`, age: 36, address: '12 St James Square' }
  const listed = async () => {
    const [{ customers: [found] }, { count }] = await Promise.all([
      other.search.list({ filters: { words }, sort: 'id', descending: false, limit: 2 }),
      other.search.count({ words })
    ])
    return `${count} ${found?.address}`
  }
  const actor = { sub: null, clientId: null, requestId: null, operationId: null }
  await one.customers.register(given, actor)
  const registered = await listed()
  const { customers: [latest] } = await other.search.list({ filters: { words: [] }, sort: 'id', descending: true, limit: 1 })
  await one.customers.change(id, { address: 'elsewhere' }, 'any', actor)
  const changed = await listed()
  await one.customers.remove(id, 'any', actor)
  const removed = await listed()
  const isLatest = latest !== undefined && latest.id >= id
  return [registered === '1 12 St James Square', isLatest, changed === '1 elsewhere', removed === '0 undefined']
    .flatMap((isRight, step) => isRight ? [] : [`step ${step}: ${registered}, ${latest?.id}, ${changed}, ${removed}`])
}

async function inLanes (rounds: number): Promise<string[]> {
  outcomes = []
  errors = []
  const wrong = await Promise.all(Array.from({ length: LANES }, async () => {
    const all: string[] = []
    for (let round = 0; round < rounds; round++) all.push(...await writeAndList())
    return all
  }))
  return wrong.flat()
}

/** Lists until the standby answers. */
async function untilUsed () {
  for (outcomes = []; !outcomes.includes('standby'); await setTimeout(100)) await other.search.count({ words: [] })
}

const onStandby = async (sql: string) => await on(standby, sql)
const onPrimary = async (sql: string) => await on(primary, sql)

async function on ({ url }: { url: string }, sql: string) {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(sql)
  await client.end()
}

/** What `frontdesk-customer doctor` says. */
function doctor (): string {
  const bin = join(root, 'packages/customer-service/bin/frontdesk-customer.js')
  return spawnSync(process.execPath, [bin, 'doctor'], { env: { PATH: process.env.PATH, AUTH: 'none', ...env }, encoding: 'utf8' }).stdout
}

await t.test('lists from a standby show every write that was acknowledged before, also by another process', async t => {
  await untilUsed()
  t.same(await inLanes(ROUNDS), [])
  // On a busy machine the standby may take too long to connect to: then the primary answers.
  t.same(errors.filter(message => !message.endsWith('connection timeout')), [])
  t.match(doctor(), 'The standby of DATABASE_READ_URL follows the primary.')
})

await t.test('lists are read from the primary while the standby lags, and from the standby when it has caught up', async t => {
  await untilUsed()
  await onStandby('SELECT pg_wal_replay_pause()')
  t.same(await inLanes(2), [])
  t.ok(outcomes.includes('behind') && !outcomes.includes('standby'), `${outcomes}`)
  await onStandby('SELECT pg_wal_replay_resume()')
})

await t.test('lists are read from the primary while the standby is down, or does not answer', async t => {
  await untilUsed()
  await standby.stop('SIGQUIT')
  t.same(await inLanes(2), [])
  t.ok(outcomes.includes('failed') && !outcomes.includes('standby'), `${outcomes}`)
  await startStandby()
  await untilUsed()
  await standby.freeze()
  t.same(await inLanes(2), [])
  t.ok(outcomes.includes('failed') && !outcomes.includes('standby'), `${outcomes}`)
  standby.thaw()
})

await t.test('a standby that is killed while lists are read from it fails none of them', async t => {
  await untilUsed()
  const listing = inLanes(ROUNDS)
  for (outcomes = []; !outcomes.includes('standby'); await setTimeout(5));
  await standby.stop('SIGQUIT')
  t.same(await listing, [])
  await startStandby()
})

await t.test('lists show every write also where transactions keep a snapshot, and where writes are acknowledged before they are on disk', async t => {
  for (const setting of ["default_transaction_isolation = 'repeatable read'", 'synchronous_commit = off']) {
    await onPrimary(`ALTER SYSTEM SET ${setting}`)
    await onPrimary('SELECT pg_reload_conf()')
    await untilUsed()
    t.same(await inLanes(5), [], setting)
  }
  await onPrimary('ALTER SYSTEM RESET ALL')
  await onPrimary('SELECT pg_reload_conf()')
})

await t.test('more lists than connections do not pause the standby', async t => {
  await untilUsed()
  outcomes = []
  await Promise.all(Array.from({ length: 200 }, () => other.search.count({ words: ['w'] })))
  t.ok(outcomes.includes('standby') && outcomes.includes('busy'), `${new Set(outcomes)}`)
  t.notOk(outcomes.includes('failed'))
})

await t.test('a standby that is gone at the start, and one of another database, are not used', async t => {
  const gone = await openDatabase(loadConfig({ ...env, DATABASE_READ_URL: 'postgresql://127.0.0.1:9/postgres' }))
  outcomes = []
  await gone.stores.search.count({ words: [] })
  t.same(outcomes, ['failed'])
  await gone.close()
  const foreign = await Postgres.create()
  t.teardown(() => foreign.remove())
  await foreign.start()
  const wrong = await openDatabase(loadConfig({ ...env, DATABASE_READ_URL: foreign.url }))
  errors = []
  await wrong.stores.search.count({ words: [] })
  t.same(errors, ['DATABASE_READ_URL is another database, not a standby of DATABASE_URL.'])
  await wrong.close()
})

await t.test('a standby that was promoted is not used any more', async t => {
  await untilUsed()
  await onStandby('SELECT pg_promote()')
  t.same(await inLanes(2), [])
  t.notOk(outcomes.includes('standby'), `${outcomes}`)
  t.match(doctor(), 'The server of DATABASE_READ_URL does not follow the primary, or lags behind it.')
})
