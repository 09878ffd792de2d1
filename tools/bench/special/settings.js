import { digits, table } from '../report/table.js'
import { measureRows } from '../rows.js'

/**
 * Measures requests with several settings of one service, in the same rounds, and prints the cost of each relative to the first.
 * @param {string} title
 * @param {Array<{ name: string, workload: string, settings: Record<string, Record<string, string>> }>} cases target, workload, and
 *   variables by the words that name them
 */
export async function compareSettings (title, cases, targets, subjects, options) {
  const rows = []
  for (const { name, workload, settings } of cases) {
    const target = targets.get(name)
    if (target !== undefined) rows.push(...await measureAll(name, target, workload, settings, subjects, options))
  }
  console.log(
    table(
      title,
      ['target', 'request', 'requests/s', 'p99 ms', 'CPU µs', 'more than first', '× requests/s of first'],
      rows.map(({ target, request, failure, rate, p99, cpu, more, share }) =>
        failure === undefined
          ? [target, request, Math.round(rate).toLocaleString('en-US'), digits(p99), digits(cpu), digits(more), share.toFixed(2)]
          : [target, request, 'FAILED', '', '', '', failure.replace(/\s+/g, ' ')]
      )
    )
  )
  return rows
}

async function measureAll (name, target, workload, settings, subjects, options) {
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
  const [first] = rows
  return rows.map(row => ({ ...row, request: workload, more: row.cpu - first.cpu, share: row.rate / first.rate }))
}
