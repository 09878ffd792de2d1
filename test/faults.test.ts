import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { databasesOn, files, install, through, type Databases } from './support/faults/installation.js'
import { failover, faultsOfNetwork, faultsOfServer, requireStandby } from './support/faults/postgresql.js'
import { faultsOfFiles } from './support/faults/sqlite.js'
import { AWAY, REFUSAL, RECOVERY, runWorkload, type Fault } from './support/faults/workload.js'
import { TcpProxy } from './support/faults/tcp-proxy.js'
import { authorizationUrl } from './support/person.js'
import { Ledger } from './support/replicas/ledger.js'
import { Load } from './support/replicas/load.js'
import { Postgres, type Stack } from './support/stack.js'

/** How long each fault lasts, in milliseconds: longer than the longest refusal. */
const LASTS = 3_200

/** How long each person and writer rests after a piece of work, in milliseconds: some dozen requests a second feel a fault, too. */
const PAUSE = 200

const server = await Postgres.create()
t.teardown(() => server.remove())
await server.start()

// Each waits for most of its faults' time.
t.jobs = 3
const serverFaults = t.test('a PostgreSQL server that fails and returns: 503 meanwhile, and all is well without a restart', async t => {
  const { databases, faults } = await faultsOfServer(t, server, LASTS)
  const stack = await install(t, databases)
  await endure(t, stack, databases, faults)

  await t.test('while it waits for a standby, no write is acknowledged or seen, and it may still happen afterwards', async t => {
    const load = new Load(stack)
    await load.start({ people: 1, writers: 0 })
    await load.stop()
    await requireStandby(server, 'absent')
    let customerid = 2_000_000_000
    const register = async () => await load.ask('POST', '/rest/qa/customer', {
      form: { customerid: String(++customerid), customername: 'late', customerage: '1', customeraddress: 'here' }
    })
    let answer = await register()
    // PostgreSQL reads its settings again a moment after it was told to.
    while (answer.status === 201) answer = await register()
    t.equal(answer.status, 503)
    t.ok(answer.ms > 1_500 && answer.ms < REFUSAL, `after ${answer.ms} ms, longer than the timeout of a statement`)
    const read = async () => (await load.ask('GET', `/rest/qa/customer/${customerid}`)).status
    t.equal(await read(), 404)
    await requireStandby(server, '')
    while (await read() !== 200) await setTimeout(50)
  })

  await t.test('while it is stopped, browsers get a page, programs problem+json, and readiness is 503', async t => {
    await server.stop()
    // The app is known for two seconds more, and its page can be shown.
    await setTimeout(2_500)
    const consent = authorizationUrl(stack).replace('/authorize', '/consent')
    const customer = `${stack.address('customer-service')}/health`
    const rows: Array<[url: string, accept: string, status: number, type: RegExp, text: RegExp]> = [
      [consent, 'text/html', 503, /^text\/html/, /The database is unavailable right now\./],
      [consent, 'application/json', 503, /^application\/problem\+json/, /"title":"The database is unavailable right now\."/],
      [`${stack.issuer}/health/ready`, '*/*', 503, /json/, /does not answer/],
      [`${stack.issuer}/health/live`, '*/*', 200, /json/, /ok/],
      [`${customer}/ready`, '*/*', 503, /json/, /does not answer/],
      [`${customer}/live`, '*/*', 200, /json/, /ok/]
    ]
    for (const [url, accept, status, type, text] of rows) {
      const answer = await fetch(url, { headers: { accept }, redirect: 'manual' })
      t.equal(answer.status, status, url)
      t.match(answer.headers.get('content-type'), type, url)
      t.match(await answer.text(), text, url)
      if (url === consent) t.match(answer.headers.get('retry-after'), /^[1-9]\d*$/)
    }
    await server.start()
  })
  t.same(await stack.stop(), [0, 0])
})

const wayFaults = t.test('a way to PostgreSQL that fails, and a standby that takes over: the same', async t => {
  const proxy = new TcpProxy(0)
  t.teardown(() => proxy.stop())
  const port = await proxy.start()
  const { primary, fault: takeOver } = await failover(t, proxy, LASTS)
  const databases = through(await databasesOn(primary.url), port)
  const stack = await install(t, databases)
  await endure(t, stack, databases, [...faultsOfNetwork(proxy, LASTS), takeOver])
  t.same(await stack.stop(), [0, 0])
})

const fileFaults = t.test('databases in files that are locked or full: the same', async t => {
  const databases = await files(t)
  const stack = await install(t, databases)
  await endure(t, stack, databases, faultsOfFiles(stack, databases, LASTS))
  t.same(await stack.stop(), [0, 0])
})

await Promise.all([serverFaults, wayFaults, fileFaults])

// Alone: it measures how long clients wait.
await t.test('a pool of 2 connections and 200 clients: no client waits for longer than 3 s or gets a wrong answer', async t => {
  const databases = await databasesOn(server.url)
  const stack = await install(t, databases, { DATABASE_POOL_SIZE: '2' })
  const { lost, wrong, acknowledged } = await runWorkload(stack, databases, new Ledger(), {
    name: 'crowd', lasts: LASTS, begin: () => {}, end: () => {}, allowed: AWAY, untilFelt: false, clients: { people: 40, writers: 160 }
  })
  t.same([lost, wrong], [[], []])
  t.ok(acknowledged > 200, `${acknowledged} acknowledged`)
  t.same(await stack.stop(), [0, 0])
})

/** The same services through one fault after the other. */
async function endure (t: Test, stack: Stack, databases: Databases, faults: Fault[]): Promise<void> {
  const ledger = new Ledger()
  for (const fault of faults) {
    await t.test(fault.name, async t => {
      const { lost, wrong, recovery, acknowledged, refusers } = await runWorkload(stack, databases, ledger, fault, PAUSE)
      t.same(lost, [], 'nothing that was acknowledged is lost')
      t.same(wrong.slice(0, 5), [], `refused with 503 and Retry-After within ${REFUSAL} ms, and never wrong`)
      t.ok(recovery < RECOVERY, `well again after ${recovery} ms`)
      t.ok(acknowledged > 10, `${acknowledged} acknowledged`)
      t.same(refusers, ['auth-server', 'customer-service'], 'both felt it')
    })
  }
}
