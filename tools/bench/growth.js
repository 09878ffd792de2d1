import { readFlags } from './flags.js'
import { cores } from './machine/cores.js'
import { digits, table } from './report/table.js'
import { measureRows } from './rows.js'
import { run } from './run.js'
import { addCustomers } from './services/customers.js'
import { loadTargets } from './target.js'

/** `node tools/bench/growth.js` measures GET and POST with a growing number of customers: by default 100,000, 1 and 10 million. */
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
    const first = ({ target, workload }) => rows.find(it => it.target === target && it.workload === workload)
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
          row.target,
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
    for (const { target, workload, size, failure } of failures) console.log(`${target} ${workload} ${size} FAILED: ${failure}`)
    return failures.length === 0
  }
)

/** Adds customers to a target up to a number, and measures. */
async function measureSize (subjects, name, size) {
  const { context } = await subjects.prepare(name)
  await subjects.stop([name])
  if (size > context.customers) await addCustomers(context, context.customers + 1, size)
  context.customers = size
  const rows = []
  for (const workload of ['get', 'post']) {
    const [row] = await measureRows(workload, [name], subjects, { rounds, seconds, warmUp: seconds })
    rows.push({ ...row, size })
  }
  await subjects.stop([name])
  return rows
}
