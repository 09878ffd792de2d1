// `npm run faults`: every fault of the databases and of the services, against real processes, and how each went.
import { databasesOn, files, install, runAndCleanUp, through, type Cleaner, type Databases } from './installation.js'
import { kills } from './kills.js'
import { failover, faultsOfNetwork, faultsOfServer } from './postgresql.js'
import { race } from './races.js'
import { faultsOfIssuer, stops } from './services.js'
import { faultsOfFiles } from './sqlite.js'
import { AWAY, RECOVERY, runWorkload, type Fault, type Outcome } from './workload.js'
import { TcpProxy } from './tcp-proxy.js'
import { startFleet } from '../replicas/fleet.js'
import { Ledger } from '../replicas/ledger.js'
import { Postgres, type Stack } from '../stack.js'

/** How long each fault lasts, in milliseconds, and how often processes are killed. */
const LASTS = 10_000
const KILLS = 20

// Every process that runs is ended with this one.
process.setMaxListeners(50)

const outcomes: Outcome[] = []

await runAndCleanUp(async cleaner => {
  await run(cleaner)
  const bad = outcomes.filter(({ lost, wrong, recovery }) => lost.length + wrong.length > 0 || recovery >= RECOVERY)
  for (const { name, lost, wrong } of bad) console.log(`\n${[name, ...lost, ...wrong].slice(0, 10).join('\n  ')}`)
  console.log(`\n${outcomes.length - bad.length} passed, ${bad.length} failed`)
  return bad.length === 0
})

async function run (cleaner: Cleaner) {
  console.log(row(['fault', 'sent', 'acknowledged', 'lost', 'wrong', 'recovery', 'slowest refusal', 'refused, by status']))
  const inFiles = await files(cleaner)
  const onFiles = await install(cleaner, inFiles)
  await endure(onFiles, inFiles, [...faultsOfFiles(onFiles, inFiles, LASTS), kills(onFiles, KILLS, 'SQLite')])
  for (const outcome of await race(onFiles, 'SQLite')) print(outcome)
  await onFiles.stop()

  const server = await Postgres.create()
  cleaner.teardown(() => server.remove())
  await server.start()
  const { databases, faults } = await faultsOfServer(cleaner, server, LASTS)
  const stack = await install(cleaner, databases)
  await endure(stack, databases, [...faults, kills(stack, KILLS, 'PostgreSQL'), ...faultsOfIssuer(stack, databases, LASTS)])
  for (const outcome of await race(stack, 'PostgreSQL')) print(outcome)
  await stack.stop()

  const crowded = await databasesOn(server.url)
  const narrow = await install(cleaner, crowded, { DATABASE_POOL_SIZE: '2' })
  await endure(
    narrow,
    crowded,
    [{
      name: '200 clients, pools of 2',
      lasts: LASTS,
      begin: () => {},
      end: () => {},
      allowed: AWAY,
      untilFelt: false,
      clients: { people: 40, writers: 160 }
    }]
  )
  await narrow.stop()

  const proxy = new TcpProxy(0)
  cleaner.teardown(() => proxy.stop())
  const { primary, fault: takeOver } = await failover(cleaner, proxy, LASTS)
  const behind = through(await databasesOn(primary.url), await proxy.start())
  const afar = await install(cleaner, behind)
  await endure(afar, behind, [...faultsOfNetwork(proxy, LASTS), takeOver])
  await afar.stop()

  // Its databases have the names of the services.
  const fleet = await startFleet(cleaner, server.url, { LOG_LEVEL: 'error' }, 4)
  const of = (name: string) => new URL(`/${name}`, server.url).href
  const shared = { 'auth-server': of('auth_server'), 'customer-service': of('customer_service') }
  await endure(fleet, shared, [stops(fleet, LASTS)])
  await fleet.stop()
}

async function endure (stack: Stack, databases: Databases, faults: Fault[]): Promise<void> {
  const ledger = new Ledger()
  for (const fault of faults) print(await runWorkload(stack, databases, ledger, fault))
}

function print (outcome: Outcome): void {
  outcomes.push(outcome)
  const { name, sent, acknowledged, lost, wrong, recovery, slowest, refused } = outcome
  const byStatus = Object.entries(refused).map(([status, times]) => `${times} × ${status === '0' ? 'no answer' : status}`).join(', ')
  console.log(row([name, sent, acknowledged, lost.length, wrong.length, `${recovery} ms`, `${slowest} ms`, byStatus || 'none']))
}

function row ([name, ...cells]: Array<string | number>): string {
  const widths = [6, 12, 4, 5, 8, 15]
  return [
    String(name).padEnd(58), ...cells.map((cell, index) => index < widths.length ? String(cell).padStart(widths[index]!) : cell)
  ].join('  ')
}
