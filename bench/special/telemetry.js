import { freePort } from '../../scripts/postgres.js'
import { digits, table } from '../report/table.js'
import { measureRows } from '../rows.js'

/** The request of each service that does the least else. */
const REQUESTS = { 'auth-server-sqlite': 'authorize', 'customer-service-sqlite': 'get' }

/** What logs and metrics cost: requests with neither, with the log, and with both. */
export default async function telemetry (targets, subjects, options) {
  const rows = []
  for (const [name, workload] of Object.entries(REQUESTS)) {
    const target = targets.get(name)
    if (target !== undefined) rows.push(...await measureAll(name, target, workload, subjects, options))
  }
  console.log(
    table(
      'telemetry: what the log and the metrics cost',
      ['target', 'request', 'requests/s', 'p99 ms', 'CPU µs', 'more than with neither'],
      rows.map(row =>
        row.failure === undefined
          ? [row.target, row.workload, Math.round(row.rate).toLocaleString('en-US'), digits(row.p99), digits(row.cpu), digits(row.more)]
          : [row.target, row.workload, 'FAILED', '', '', row.failure.replace(/\s+/g, ' ')]
      )
    )
  )
  return rows.map(row => ({ ...row, workload: `telemetry ${row.workload}` }))
}

async function measureAll (name, target, workload, subjects, options) {
  const settings = {
    'with neither': { LOG_LEVEL: 'silent' },
    'with the log': {},
    'with both': { METRICS_PORT: String(await freePort()) }
  }
  const names = Object.keys(settings).map(it => `${name} ${it}`)
  Object.values(settings).forEach((more, index) => {
    const start = context => {
      const { env, ...rest } = target.start(context)
      return { ...rest, env: { ...env, ...more } }
    }
    subjects.add(names[index], { ...target, start })
  })
  const rows = await measureRows(workload, names, subjects, options)
  await subjects.stop(names)
  return rows.map(row => ({ ...row, more: row.cpu - rows[0].cpu }))
}
