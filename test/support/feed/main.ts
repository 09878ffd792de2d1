// `npm run feed` kills two replicas of customer-service and their PostgreSQL again and again, while four writers change customers.
// Every change that was answered must reach each consumer of the change feed (pages, streams, a webhook), those of a customer in order.
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { databasesOn, runAndCleanUp, type Cleaner } from '../faults/installation.js'
import { freePort, Postgres, programs, Stack, type Name } from '../stack.js'
import { readPages, readStream, type Consumer } from './consumers.js'
import { receiveWebhook } from './receiver.js'
import { Writer } from './writer.js'

const { values: { kills } } = parseArgs({ options: { kills: { type: 'string', default: '20' } } })
const REPLICAS = [1, 2]
const WRITERS = 4

/** Changes that are answered between two kills. */
const CALM = 100

/** How long a consumer that lacks events may get none, in milliseconds: longer than the lease of a process that was killed. */
const CATCH_UP_MS = 30_000

await runAndCleanUp(run)

async function run (cleaner: Cleaner): Promise<boolean> {
  const server = await Postgres.create()
  cleaner.teardown(() => server.remove())
  await server.start()
  const databaseUrl = (await databasesOn(server.url))['customer-service']
  const { stack, names } = await install(cleaner, databaseUrl)
  const urls = names.map(name => stack.address(name))
  const consumers = [readPages(urls), ...urls.map((url, index) => readStream(url, index + 1)), await receiveWebhook(databaseUrl)]
  const writers = Array.from({ length: WRITERS }, (_, index) => new Writer(urls, index * 1_000_000 + 1))
  for (const writer of writers) writer.start()
  const answered = () => writers.reduce((total, writer) => total + writer.answered, 0)

  const begun = performance.now()
  for (let kill = 0; kill < Number(kills); kill++) {
    const before = answered()
    while (answered() < before + CALM) await setTimeout(5)
    await setTimeout(100 * Math.random())
    const name = names[(kill >> 1) % names.length]!
    if (kill % 2 === 0) await stack.end(name, 'SIGKILL').then(() => stack.start(name))
    else await server.kill().then(() => server.start())
  }
  const end = answered()
  while (answered() < end + CALM) await setTimeout(5)
  const seconds = Math.round((performance.now() - begun) / 1_000)
  for (const writer of writers) await writer.stop()

  const unanswered = writers.reduce((total, writer) => total + writer.unanswered, 0)
  console.log(`${kills} kills in ${seconds} s: ${answered()} changes answered, ${unanswered} not, by ${WRITERS} writers on ${names.length} replicas`)
  let isRight = true
  for (const consumer of consumers) {
    const wrong = await untilRight(consumer, writers)
    await consumer.stop()
    const { size } = new Set(consumer.events.map(({ id }) => id))
    console.log(`${consumer.name}: ${size} events, ${consumer.events.length - size} more than once, ${wrong.length} customers wrong`)
    for (const sentence of wrong.slice(0, 5)) console.log(`  ${sentence}`)
    isRight &&= wrong.length === 0
  }
  return isRight
}

async function install (cleaner: Cleaner, databaseUrl: string): Promise<{ stack: Stack, names: Name[] }> {
  const program = programs({ AUTH_PORT: 1, CUSTOMER_PORT: 1, DESK_PORT: 1, DATA_DIR: '' }).find(({ name }) => name === 'customer-service')!
  const list = await Promise.all(REPLICAS.map(async number => {
    const address = `http://localhost:${await freePort()}`
    const env = { DATABASE_URL: databaseUrl, PORT: new URL(address).port, AUTH: 'none' }
    return { ...program, name: `customer-service ${number}` as const, address, ready: `${address}/health/ready`, env }
  }))
  const stack = new Stack(list, '', { LOG_LEVEL: 'error' })
  cleaner.teardown(() => stack.stop())
  for (const { name } of list) await stack.start(name)
  return { stack, names: list.map(({ name }) => name) }
}

/** What is still wrong when the consumer has had time to catch up. */
async function untilRight (consumer: Consumer, writers: readonly Writer[]): Promise<string[]> {
  for (let since = performance.now(), had = 0; ;) {
    const { length } = consumer.events
    if (length > had) since = performance.now()
    had = length
    const wrong = whatIsWrong(consumer, writers)
    if (wrong.length === 0 || performance.now() - since > CATCH_UP_MS) return wrong
    await setTimeout(100)
  }
}

function whatIsWrong ({ events }: Consumer, writers: readonly Writer[]): string[] {
  const found = new Map<string, string[]>()
  const last = new Map<string, number>()
  for (const { id, type, subject, data } of events) {
    // At least once: a consumer ignores what it has had.
    const position = Number.parseInt(id)
    if (position <= (last.get(subject) ?? 0)) continue
    last.set(subject, position)
    found.set(subject, [...found.get(subject) ?? [], `${type.split('.')[1]} ${data.version}`])
  }
  return writers.flatMap(({ expected }) => [...expected]).flatMap(([id, { answered, unanswered }]) => {
    const had = found.get(`${id}`) ?? []
    const more = had.slice(answered.length)
    const isRight = answered.every((event, index) => had[index] === event) &&
      (more.length === 0 || (more.length === 1 && unanswered !== undefined && more[0]!.startsWith(`${unanswered} `)))
    return isRight ? [] : [`customer ${id}: ${had.join(', ') || 'nothing'} instead of ${answered.join(', ')}`]
  })
}
