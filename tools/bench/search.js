import { setTimeout as wait } from 'node:timers/promises'
import { readFlags } from './flags.js'
import { Connection } from './load/connection.js'
import { asker } from './load/drive.js'
import { query } from './machine/database.js'
import { at } from './measure.js'
import { digits, table } from './report/table.js'
import { run } from './run.js'
import { bearer } from './loads.js'
import { fillRegister, kinds } from './services/searches.js'
import { loadTargets } from './target.js'

/** `node tools/bench/search.js`: lists and searches at a fixed rate, among a million customers with names as people have them. */
const { customers, rate, seconds, targets: names } = readFlags({
  customers: 1_000_000,
  rate: 100,
  seconds: 30,
  targets: ['customer-service-sqlite', 'customer-service-postgresql']
})

/** How long is asked before it counts, in seconds: what is asked for has to come from the disk first. */
const WARM_UP = 2 * seconds

/** What the slowest of a hundred may take, in milliseconds. */
const BAR = 20

await run(
  async () => ({ targets: await loadTargets({ names, folders: ['frontdesk'] }), customers: 1, reserved: customers }),
  async subjects => {
    let isWell = true
    for (const name of names) {
      const { context } = await subjects.prepare(name)
      await fillRegister(context, customers)
      if (context.databaseUrl !== undefined) await query(context.databaseUrl, 'VACUUM ANALYZE', 'CHECKPOINT')
      await subjects.start(name)
      // Caches and plans are warm after it.
      await ask(context, WARM_UP)
      const answers = await ask(context, seconds)
      await subjects.stop([name])
      const rows = [...kinds.keys(), 'all'].map(kind => [kind, timesOf(answers, kind)])
      console.log(
        table(
          `${name}: ${customers.toLocaleString('en-US')} customers, ${rate} requests/s for ${seconds} s, milliseconds`,
          ['list', 'requests', 'p50', 'p99', 'slowest'],
          rows.map(([kind, times]) => [kind, String(times.length), ...[0.5, 0.99, 1].map(part => digits(at(times, part)))])
        )
      )
      const failures = answers.filter(({ failure }) => failure !== undefined)
      for (const { kind, failure } of failures.slice(0, 5)) console.log(`${kind} FAILED: ${failure}`)
      const slowest = at(rows.at(-1)[1], 0.99)
      if (slowest >= BAR) console.log(`\n${name} MISSED the bar: one of 100 took ${digits(slowest)} ms or longer, not less than ${BAR}.`)
      isWell &&= failures.length === 0 && slowest < BAR
    }
    return isWell
  }
)

/** How long the answers of a kind took, ascending. */
function timesOf (answers, kind) {
  return answers.filter(it => kind === 'all' || it.kind === kind).map(it => it.ms).sort((one, other) => one - other)
}

/** Asks at the rate, whether the answers come or not; times are from when a request was due. */
async function ask (context, seconds) {
  const idle = []
  const answers = []
  const under = new Set()
  const all = [...kinds]
  const start = performance.now()
  for (let index = 0; index < rate * seconds; index++) {
    const due = start + index * 1000 / rate
    await wait(Math.max(0, due - performance.now()))
    const [kind, make] = all[index % all.length]
    const connection = idle.pop() ?? new Connection(context.port)
    const path = `/rest/qa/customer?${new URLSearchParams(make())}`
    const asked = asker(connection)({ path, headers: bearer(context) })
      .then(
        ({ status, body }) => {
          answers.push({ kind, ms: performance.now() - due, failure: status === 200 ? undefined : `${path}: ${status} ${body}` })
        },
        error => {
          answers.push({ kind, ms: performance.now() - due, failure: error.message })
        }
      )
      .finally(() => {
        idle.push(connection)
        under.delete(asked)
      })
    under.add(asked)
  }
  await Promise.all(under)
  for (const connection of idle) connection.close()
  return answers
}
