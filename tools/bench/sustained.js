import { readFlags } from './flags.js'
import { drive } from './load/drive.js'
import { cpuOf } from './machine/cpu.js'
import { at } from './measure.js'
import { digits, table } from './report/table.js'
import { run } from './run.js'
import { loadTargets } from './target.js'

/** Writes in order: added customers can be deleted. With a pause of 30 ms, 32 connections send nearly 1,000/s. */
const WRITES = {
  'post-1000': { title: 'POST, 1,000/s', workload: 'post', pause: 30 },
  post: { title: 'POST', workload: 'post' },
  put: { title: 'PUT', workload: 'put' },
  delete: { title: 'DELETE', workload: 'delete' }
}

/** `node tools/bench/sustained.js` measures sustained writes, which update the full-text index, and the latency of GET meanwhile. */
const { only, seconds, customers, targets: names } = readFlags({
  only: Object.keys(WRITES),
  seconds: 60,
  customers: 100_000,
  targets: ['fastify-better-sqlite3-indexed', 'customer-service-sqlite', 'fastify-pg-indexed', 'customer-service-postgresql']
})

const writes = Object.entries(WRITES).filter(([name]) => only.includes(name)).map(([, write]) => write)

/** Baselines. */
const BASELINE = { sqlite: 'fastify-better-sqlite3-indexed', postgresql: 'fastify-pg-indexed' }

/** Pause of the only caller of GET after each response, in milliseconds. */
const CALLER = { connections: 1, pause: 2 }

/** Warm-up, in seconds. */
const WARM_UP = 2

const p99 = ({ latencies }) => at(latencies, 0.99)

await run(async () => ({ targets: await loadTargets({ names, folders: ['indexed', 'frontdesk'] }), customers }), async subjects => {
  const rows = []
  for (const name of names) {
    const subject = await subjects.start(name)
    for (const workload of ['get', 'post']) await send(subject, workload, WARM_UP, { connections: 32 })
    const before = cpuOfAll(subject)
    const read = await send(subject, 'get', Math.max(1, seconds / 4), CALLER)
    const idle = { p99: p99(read), cpu: since(subject, before).map(it => it / read.count) }
    for (const write of writes) rows.push({ name, ...await sustain(subject, write, idle) })
    await subjects.stop([name])
  }
  console.log(
    table(
      `sustained: writes for ${seconds} s on 32 connections`,
      [
        'target',
        'request',
        'requests/s',
        '× indexed',
        'p50 ms',
        'p99 ms',
        'GET p99 ms idle',
        'meanwhile',
        '÷ idle',
        'CPU µs',
        'database CPU µs'
      ],
      rows.map(row => [
        row.name,
        row.title,
        digits(row.rate),
        ratio(row, rows),
        ...[row.p50, row.p99, row.idle, row.get].map(digits),
        (row.get / row.idle).toFixed(1),
        digits(row.cpu),
        digits(row.databaseCpu)
      ])
    )
  )
  const failures = rows.filter(({ failure }) => failure !== undefined)
  for (const { name, title, failure } of failures) console.log(`${name} ${title} FAILED: ${failure.replace(/\s+/g, ' ')}`)
  return failures.length === 0
})

/** To the baseline, which commits each request alone. */
function ratio ({ title, database, rate }, rows) {
  const baseline = rows.find(it => it.name === BASELINE[database] && it.title === title)
  return baseline === undefined ? '' : (rate / baseline.rate).toFixed(2)
}

/** Writes for some time with one concurrent reader. CPU time excludes the reads. */
async function sustain (subject, { title, workload, pause }, idle) {
  const stop = new AbortController()
  const reading = send(subject, 'get', 2 * seconds, { ...CALLER, signal: stop.signal })
  const before = cpuOfAll(subject)
  const written = await send(subject, workload, seconds, { connections: 32, pause })
  stop.abort()
  const read = await reading
  const [cpu, databaseCpu] = since(subject, before).map((spent, index) => (spent - read.count * idle.cpu[index]) / written.count)
  return {
    title,
    database: subject.target.database,
    rate: written.count / written.seconds,
    p50: at(written.latencies, 0.5),
    p99: p99(written),
    idle: idle.p99,
    get: p99(read),
    cpu,
    databaseCpu,
    failure: written.failure ?? read.failure
  }
}

/** CPU time of the service and of PostgreSQL so far, in microseconds. */
function cpuOfAll ({ servers: [{ pid }], database }) {
  return [cpuOf(pid), database?.cpu() ?? NaN]
}

function since (subject, before) {
  return cpuOfAll(subject).map((after, index) => after - before[index])
}

async function send ({ target, context, ports }, workload, seconds, options) {
  return await drive({ ports, seconds, load: await target.workloads[workload](context), ...options })
}
