import { readFlags } from './flags.js'
import { pace, reportFailures, timesOf } from './load/pace.js'
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
      const all = answers.map(it => ({ ...it, kind: 'all' }))
      const rows = [...kinds.keys(), 'all'].map(kind => [kind, timesOf([...answers, ...all], kind)])
      console.log(
        table(
          `${name}: ${customers.toLocaleString('en-US')} customers, ${rate} requests/s for ${seconds} s, milliseconds`,
          ['list', 'requests', 'p50', 'p99', 'slowest'],
          rows.map(([kind, times]) => [kind, String(times.length), ...[0.5, 0.99, 1].map(part => digits(at(times, part)))])
        )
      )
      isWell = reportFailures(answers) && isWell
      const slowest = at(rows.at(-1)[1], 0.99)
      if (slowest >= BAR) console.log(`\n${name} MISSED the bar: one of 100 took ${digits(slowest)} ms or longer, not less than ${BAR}.`)
      isWell &&= slowest < BAR
    }
    return isWell
  }
)

/** Asks at the rate, whether the answers come or not. */
async function ask (context, seconds) {
  const all = [...kinds]
  return await pace({
    port: context.port,
    rate,
    seconds,
    next: index => {
      const [kind, make] = all[index % all.length]
      return { kind, request: { path: `/rest/qa/customer?${new URLSearchParams(make())}`, headers: bearer(context) } }
    }
  })
}
