// `npm run failover`: both services on a PostgreSQL of Patroni, etcd and HAProxy, whose primary is killed again and again.
import { appendFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { isRefusal } from '../faults/workload.js'
import { databasesOn, install, lostFrom, runAndCleanUp, through, type Cleaner } from '../faults/installation.js'
import { Ledger } from '../replicas/ledger.js'
import { Load } from '../replicas/load.js'
import { Clients } from './clients.js'
import type { Node } from './configuration.js'
import { describe, isUnknown, whyLost, whyNotLinearizable } from './linearizability.js'
import { missingPrograms, Patroni } from './patroni.js'

const { values: options } = parseArgs({
  options: {
    kills: { type: 'string', default: '10' },
    // File for the history of each customer, a line of JSON each.
    history: { type: 'string' },
    // Freezes the primary instead of killing it: when it goes on, it takes itself for the primary, and may still be connected.
    freeze: { type: 'boolean', default: false },
    // Replicates asynchronously and cuts the standby off before each kill: then acknowledged writes are lost, and must be found so.
    asynchronous: { type: 'boolean', default: false }
  }
})
const KILLS = Number(options.kills)
const CLIENTS = 8

/** How long all is well between two kills, in milliseconds. */
const CALM_MS = 3_000

/** How long the standby is cut off before a kill, if it is, in milliseconds. */
const CUT_OFF_MS = 500

/** Within which both services must write again after a promotion, in milliseconds. */
const FIRST_WRITE_MS = 1_000

/** What is measured for each kill: `promoted`, `write` and `token` since the kill, the others since the promotion or the restart. */
const COLUMNS = ['promoted', 'write', 'since promotion', 'token', 'since promotion', 'standby back']
const SINCE_PROMOTION = { write: 2, token: 4 }

// Every process that runs is ended with this one.
process.setMaxListeners(50)

const missing = missingPrograms()
if (missing.length > 0) {
  console.error(`This run needs ${missing.join(', ')}. On Debian: apt-get install patroni etcd-server python3-etcd haproxy postgresql`)
  process.exit(1)
}

await runAndCleanUp(run)

async function run (cleaner: Cleaner): Promise<boolean> {
  const patroni = new Patroni(cleaner, !options.asynchronous)
  await patroni.start()
  const { primary } = await patroni.settled()
  const databases = through(await databasesOn(primary.url), Number(new URL(patroni.url).port))
  const stack = await install(cleaner, databases)
  const people = new Load(stack, new Ledger())
  await people.start({ people: 2, writers: 0 })
  const clients = new Clients(stack.address('customer-service'), () => people.tokens.at(-1)!)
  clients.start(CLIENTS)

  const rows: number[][] = []
  print(['kill', ...COLUMNS])
  for (let kill = 1; kill <= KILLS; kill++) {
    await setTimeout(CALM_MS)
    const times = await killPrimary(patroni, clients, people)
    rows.push(times)
    print([`${kill}`, ...times.map(inMs)])
  }
  const columns = COLUMNS.map((_, column) => rows.map(times => times[column]!))
  print(['p50', ...columns.map(median).map(inMs)])
  print(['max', ...columns.map(times => Math.max(...times)).map(inMs)])
  await setTimeout(CALM_MS)
  await Promise.all([clients.stop(), people.stop()])

  const lost: string[] = []
  const wrong = [...clients.wrong, ...people.complaints.filter(complaint => !isRefusal(complaint)).map(it => JSON.stringify(it))]
  for (const history of clients.histories) {
    const end = await clients.readLast(history)
    const [whyNot, why] = [whyNotLinearizable([...history.operations, end]), whyLost(history.operations, end)]
    if (options.history !== undefined) await appendFile(options.history, `${JSON.stringify({ ...history, end })}\n`)
    if (why !== null) lost.push(`customer ${history.id}: ${why}`)
    if (whyNot !== null) wrong.push([`customer ${history.id}: ${whyNot}`, ...[...history.operations, end].map(describe)].join('\n    '))
  }
  lost.push(...await lostFrom(databases, people.ledger, people.tokens))
  const codes = await stack.stop()
  const operations = clients.histories.flatMap(history => history.operations)
  const refused = [...people.complaints, ...operations.filter(isUnknown)].length
  console.log(`
${KILLS} kills, ${operations.length} operations on ${clients.histories.length} customers, ${people.answers.length} requests to sign in
${clients.acknowledged.length} writes and ${people.tokens.length} tokens acknowledged, ${refused} requests refused, the slowest after ${inMs(clients.slowest)}
${lost.length} lost, ${wrong.length} wrong, exit codes of the services: ${codes.join(', ')}`)
  for (const sentence of [...lost.map(it => `lost: ${it}`), ...wrong.map(it => `wrong: ${it}`)].slice(0, 10)) console.log(`  ${sentence}`)
  const slow = rows.filter(times => times[SINCE_PROMOTION.write]! > FIRST_WRITE_MS || times[SINCE_PROMOTION.token]! > FIRST_WRITE_MS)
  if (slow.length > 0) console.log(`  ${slow.length} times, a service did not write within ${FIRST_WRITE_MS} ms after the promotion`)
  return lost.length + wrong.length + slow.length === 0 && codes.every(code => code === 0)
}

/** Kills the primary, waits until the services write again, and starts it again as a standby. Gives the times of {@link COLUMNS}. */
async function killPrimary (patroni: Patroni, clients: Clients, people: Load): Promise<number[]> {
  const { primary, standby } = await patroni.settled()
  if (options.asynchronous) {
    await patroni.cutOff(primary)
    await setTimeout(CUT_OFF_MS)
  }
  const killed = performance.now()
  if (options.freeze) patroni.freeze(primary)
  else patroni.kill(primary)
  const token = newToken(people)
  const promoted = await promotion(standby)
  const write = await newWrite(clients, killed)
  const issued = await token
  if (options.freeze) patroni.thaw(primary)
  else patroni.startNode(primary)
  const back = performance.now()
  await patroni.settled()
  return [promoted - killed, write - killed, write - promoted, issued - killed, issued - promoted, performance.now() - back]
}

/** When a standby has become a primary. */
async function promotion ({ url }: Node): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    while ((await client.query('SELECT pg_is_in_recovery() AS is_standby')).rows[0].is_standby) await setTimeout(5)
    return performance.now()
  } finally {
    await client.end()
  }
}

/** When the first write was acknowledged that was sent after a time. */
async function newWrite ({ acknowledged }: Clients, time: number): Promise<number> {
  for (;;) {
    const write = acknowledged.find(({ sent }) => sent > time)
    if (write !== undefined) return write.answered
    await setTimeout(5)
  }
}

/** When the next token has been issued, except to a person who was signing in already. */
async function newToken ({ tokens }: Load): Promise<number> {
  await setTimeout(500)
  const { length } = tokens
  while (tokens.length === length) await setTimeout(5)
  return performance.now()
}

function median (times: number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor((times.length - 1) / 2)]!
}

function inMs (time: number): string {
  return `${Math.round(time)} ms`
}

function print ([name, ...cells]: string[]): void {
  console.log([name!.padEnd(4), ...cells.map((cell, index) => cell.padStart(Math.max(10, COLUMNS[index]!.length)))].join('  '))
}
