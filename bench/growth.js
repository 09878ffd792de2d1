import { readFlags } from './flags.js'
import { cores } from './machine/cores.js'
import { digits, table } from './report/table.js'
import { measure } from './measure.js'
import { median } from './rows.js'
import { run } from './run.js'
import { addCustomers } from './services/customers.js'
import { loadTargets } from './target.js'

/** `node bench/growth.js`: GET and POST as the register grows, by default from 100,000 to 1 and 10 million customers. */
const { rows: sizes, seconds, rounds, targets: names } = readFlags({
  rows: [100_000, 1_000_000, 10_000_000],
  seconds: 3,
  rounds: 3,
  targets: ['customer-service-sqlite', 'customer-service-postgresql']
})

await run(
  async () => ({ targets: await loadTargets({ names, folders: ['frontdesk'] }), customers: sizes[0], reserved: Math.max(...sizes) }),
  async subjects => {
    const rows = []
    for (const name of names) {
      for (const size of sizes) rows.push(...(await measureSize(subjects, name, size)))
    }
    const first = ({ name, workload }) => rows.find(it => it.name === name && it.workload === workload)
    console.log(
      table(
        `growth: medians of ${rounds} rounds of ${seconds} s${cores === undefined ? ', nothing pinned' : ''}`,
        [
          'target',
          'request',
          'customers',
          'requests/s',
          'p50 ms',
          'p99 ms',
          'CPU µs',
          'database CPU µs',
          'RSS MB',
          '× requests/s',
          '× CPU'
        ],
        rows.map(row => [
          row.name,
          row.workload.toUpperCase(),
          row.size.toLocaleString('en-US'),
          digits(row.rate),
          digits(row.p50),
          digits(row.p99),
          digits(row.cpu),
          digits(row.databaseCpu),
          digits(row.rss),
          (row.rate / first(row).rate).toFixed(2),
          (first(row).cpu / row.cpu).toFixed(2)
        ])
      )
    )
    const failures = rows.filter(({ failure }) => failure !== undefined)
    for (const { name, workload, size, failure } of failures) console.log(`${name} ${workload} ${size} FAILED: ${failure}`)
    return failures.length === 0
  }
)

/** Grows the register of a target to a size and measures. */
async function measureSize (subjects, name, size) {
  const { context } = await subjects.prepare(name)
  await subjects.stop([name])
  if (size > context.customers) await addCustomers(context, context.customers + 1, size)
  context.customers = size
  const rows = []
  for (const workload of ['get', 'post']) {
    const subject = await subjects.start(name)
    const all = []
    for (let round = 0; round < rounds; round++) all.push(await measure(subject, workload, { seconds, warmUp: seconds, connections: 32 }))
    const middle = key => median(all.map(it => it[key] ?? NaN))
    rows.push({
      name,
      workload,
      size,
      rss: subjects.rss(name),
      ...Object.fromEntries(['rate', 'p50', 'p99', 'cpu', 'databaseCpu'].map(key => [key, middle(key)])),
      failure: all.find(it => it.failure !== undefined)?.failure
    })
  }
  await subjects.stop([name])
  return rows
}
