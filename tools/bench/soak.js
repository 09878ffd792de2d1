import { freePort } from '@frontdesk/test-kit/free-port'
import { readFlags } from './flags.js'
import { drive } from './load/drive.js'
import { digits, table } from './report/table.js'
import { run } from './run.js'
import { soakEndpoint } from './soak/endpoint.js'
import { judge } from './soak/judge.js'
import { mixed, slow } from './soak/loads.js'
import { sample } from './soak/sample.js'
import { loadTargets, startedAs } from './target.js'
import { workloads } from './workloads.js'

/**
 * `node tools/bench/soak.js` sends mixed requests to a service for ten minutes, and checks that its memory and descriptors do not
 * grow, and the delay of its event loop. With `--only`, it repeats a workload and checks that its CPU time per request does not grow.
 */
const { only, seconds, every, customers, targets: names } = readFlags({
  only: [],
  seconds: 600,
  every: 5,
  customers: 100_000,
  targets: ['auth-server-sqlite', 'auth-server-postgresql', 'customer-service-sqlite', 'customer-service-postgresql']
})
const metricsPort = await freePort()

const measured = start => ({ ...start, env: { ...start.env, METRICS_PORT: String(metricsPort) } })

await run(
  async () => ({ targets: startedAs(await loadTargets({ names, folders: ['frontdesk'] }), measured), customers }),
  subjects => only.length > 0 ? soakEndpoints(subjects) : soakAll(subjects)
)

async function soakAll (subjects) {
  const rows = []
  for (const name of names) rows.push(await soak(subjects, name))
  console.log(
    table(
      `soak: ${seconds} s, a sample each ${every} s; a visit is a flow, or the life of a customer in 10 requests`,
      [
        'target',
        'visits/s',
        'p99 ms',
        'least RSS MB, third quarter',
        'fourth',
        'grown %',
        'most',
        'descriptors, third quarter',
        'fourth',
        'loop p99 ms, median',
        'worst',
        'verdict'
      ],
      rows.map(row => [
        row.name,
        digits(row.rate),
        digits(row.p99),
        digits(row.rss[0]),
        digits(row.rss[1]),
        row.grown.toFixed(1),
        digits(row.most),
        String(row.descriptors[0]),
        String(row.descriptors[1]),
        digits(row.delay),
        digits(row.worstDelay),
        row.verdict
      ])
    )
  )
  return rows.every(({ verdict }) => verdict === 'good')
}

async function soakEndpoints (subjects) {
  const unknown = only.filter(it => workloads[it] === undefined)
  if (unknown.length > 0) throw new Error(`There is no workload ${unknown.join(', ')}. Choose from ${Object.keys(workloads).join(', ')}.`)
  let isGood = true
  for (const name of names) {
    const { target } = await subjects.prepare(name)
    for (const workload of only.filter(it => target.workloads[it] !== undefined)) {
      isGood = await soakEndpoint(subjects, name, workload, seconds) && isGood
    }
  }
  return isGood
}

async function soak (subjects, name) {
  const subject = await subjects.start(name)
  const { context, ports, servers: [{ pid }] } = subject
  const [load, slowLoad] = [await mixed(context, name), slow(name)]
  const stop = new AbortController()
  const sampling = sample({ pid, metricsPort, every, signal: stop.signal })
  const [outcome, other] = await Promise.all([
    drive({ ports, connections: 32, seconds, load }).finally(() => stop.abort()),
    slowLoad === undefined ? undefined : drive({ ports, connections: 1, pause: 1_000, seconds, load: slowLoad })
  ])
  const samples = await sampling
  await subjects.stop([name])
  return { name, ...judge(samples, outcome, outcome.failure ?? other?.failure) }
}
