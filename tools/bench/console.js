import { readFlags } from './flags.js'
import { addCallers, getTokens, signInAll } from './console/sign-in.js'
import { fill } from './console/fill.js'
import { makeKinds } from './console/kinds.js'
import { pace, reportFailures, timesOf } from './load/pace.js'
import { runTimeOf } from './machine/cpu.js'
import { at } from './measure.js'
import { digits, table } from './report/table.js'
import { run } from './run.js'
import { loadTargets, startedAs } from './target.js'

/** `node tools/bench/console.js`: administration with much data, and `/authorize` beside a console that is used. */
const { users, apps: clients, events, seconds, targets: names } = readFlags({
  users: 100_000,
  apps: 2_000,
  events: 5_000_000,
  seconds: 180,
  targets: ['auth-server-sqlite', 'auth-server-postgresql']
})

/** Requests in a second: those that are measured, those of `/authorize`, and the pages that an administrator opens meanwhile. */
const [RATE, AUTHORIZE_RATE, PAGES_RATE] = [50, 200, 1]
/** How much slower `/authorize` may be while the console is used, at the 99th percentile. */
const MAX_RATIO = 1.5

const withConsole = start => ({ ...start, env: { ...start.env, ADMIN: 'true' } })

await run(async () => ({ targets: startedAs(await loadTargets({ names, folders: ['frontdesk'] }), withConsole), customers: 1 }),
  async subjects => {
    let isWell = true
    for (const name of names) {
      const { context } = await subjects.prepare(name)
      addCallers(context)
      const begin = performance.now()
      const sizes = { users, clients, events, now: Date.now() }
      const kinds = makeKinds(await fill(context, sizes), sizes)
      console.log(`\n${name}: filled in ${digits((performance.now() - begin) / 1000)} s`)
      const subject = await subjects.start(name)
      const visits = await createVisits(context, kinds)
      const runTime = () => runTimeOf(subject.servers[0].pid) + (subject.database?.runTime() ?? 0)
      const visit = seconds => pace({ port: context.port, rate: RATE, seconds, inTurn: true, next: visits.all, runTime })
      // Caches and plans are warm after it.
      await visit(2 * kinds.length / RATE)
      const answers = await visit(seconds)
      isWell = reportKinds(name, kinds, answers) && isWell
      isWell = await measureMeanwhile(subject, visits.console, seconds / 3) && isWell
      await subjects.stop([name])
    }
    return isWell
  })

/** Makes the requests of administrators and of clients of the API, who take turns. */
async function createVisits (context, kinds) {
  const [browsers, tokens] = [await signInAll(context), await getTokens(context)]
  const next = some => index => {
    const { kind, path } = some[index % some.length]
    const callers = kind.startsWith('API') ? tokens : browsers
    return { kind, request: { path: path(), headers: callers[Math.floor(index / 2) % callers.length] } }
  }
  return { all: next(kinds), console: next(kinds.filter(({ kind }) => kind.startsWith('console'))) }
}

/** Prints a row for each kind. Returns whether each is below its bar. */
function reportKinds (name, kinds, answers) {
  const rows = kinds.map(({ kind, bar }) => ({ kind, bar, times: timesOf(answers, kind), cpu: timesOf(answers, kind, 'cpu') }))
  console.log(table(
    `${name}: ${[[users, 'people'], [clients, 'apps'], [events, 'events']].map(([count, of]) => `${count.toLocaleString('en-US')} ${of}`).join(', ')}`,
    ['request', 'count', 'p50 ms', 'p99 ms', 'max ms', 'CPU ms', 'CPU max ms', 'bar ms', ''],
    rows.map(({ kind, bar, times, cpu }) => [
      kind,
      String(times.length),
      ...[at(times, 0.5), at(times, 0.99), at(times, 1), at(cpu, 0.5), at(cpu, 1)].map(digits),
      String(bar),
      isAbove({ bar, times }) ? 'ABOVE' : ''
    ])
  ))
  return reportFailures(answers) && !rows.some(isAbove)
}

function isAbove ({ bar, times }) {
  return !(at(times, 0.99) <= bar)
}

/** Measures `/authorize` at a fixed rate alone, then while an administrator opens pages of the console. */
async function measureMeanwhile ({ target, context }, nextPage, seconds) {
  const { requests, expect } = await target.workloads.authorize(context)
  const all = requests[Symbol.iterator]()
  const authorize = () => pace({
    port: context.port, rate: AUTHORIZE_RATE, seconds, next: () => ({ kind: 'authorize', request: all.next().value, expect })
  })
  const idle = await authorize()
  const [busy, pages] = await Promise.all([
    authorize(), pace({ port: context.port, rate: PAGES_RATE, seconds, inTurn: true, next: nextPage })
  ])
  const p99 = answers => at(timesOf(answers, 'authorize'), 0.99)
  const ratio = p99(busy) / p99(idle)
  console.log(table(
    `${context.name}: /authorize, ${AUTHORIZE_RATE} requests/s for ${seconds} s, while an administrator opens ${PAGES_RATE} page/s`,
    ['p50 ms idle', 'p50 ms meanwhile', 'p99 ms idle', 'p99 ms meanwhile', 'p99 ÷ idle'],
    [[...[0.5, 0.99].flatMap(part => [idle, busy].map(it => digits(at(timesOf(it, 'authorize'), part)))), ratio.toFixed(2)]]
  ))
  if (ratio > MAX_RATIO) console.log(`\n${context.name} MISSED the bar: at most ${MAX_RATIO} × idle.`)
  return reportFailures([...idle, ...busy, ...pages]) && ratio <= MAX_RATIO
}
