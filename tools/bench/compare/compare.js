import { digits, table } from '../report/table.js'
import { measureRows } from '../rows.js'
import { namesWith, rowName, workloads } from '../workloads.js'
import { ratioOf } from './interval.js'
import { before } from './pairs.js'

/**
 * Finds what became slower since a commit, row by row. Restarts the servers for each round, since two processes of the same build
 * differ, too.
 * @param {Awaited<ReturnType<typeof import('./pairs.js').loadPairs>>} pairs
 * @param {import('../subjects.js').Subjects} subjects
 * @param {{ only: string[], connections: number[], margin: number, rounds: number, seconds: number, warmUp: number,
 *   onProgress: (text: string) => void }} options `margin`: percent
 * @param {(rows: object[]) => void} onRows called after each workload with all rows so far
 * @returns {Promise<boolean>} whether every response was as expected, and no row became slower by more than the margin
 */
export async function compare ({ targets, names, commit }, subjects, options, onRows) {
  const { only, connections, margin } = options
  const all = []
  for (const [workload, count] of only.flatMap(it => connections.map(count => [it, count]))) {
    const rows = []
    for (const name of namesWith(targets, workload).filter(it => names.includes(it))) {
      rows.push(await compareOne(name, workload, subjects, { ...options, connections: count }))
    }
    if (rows.length === 0) continue
    all.push(...rows)
    onRows(all)
    options.onProgress('')
    console.log(table(`${rowName(workload, count)}: ${workloads[workload].title}`, COLUMNS, rows.map(cells)))
    console.log(`\n${rows.map(sentence).join('\n')}`)
  }
  const isMore = ({ low }) => low > 1 + margin / 100
  const compared = all.filter(({ failure }) => failure === undefined)
  const slower = compared.filter(({ cpu, time }) => isMore(cpu) || isMore(time)).map(nameOf)
  console.log(
    slower.length === 0
      ? `\nOf ${compared.length} rows, none became slower by more than ${margin} % since ${commit}.`
      : `\nSlower by more than ${margin} % since ${commit}: ${slower.join(', ')}.`
  )
  return slower.length === 0 && all.length > 0 && compared.length === all.length
}

const COLUMNS = ['target', 'CPU µs before', 'CPU µs', '× CPU', '95 %', 'requests/s before', 'requests/s', '× time', '95 %']

async function compareOne (name, workload, subjects, options) {
  const rows = await measureRows(workload, [before(name), name], subjects, { ...options, restart: true })
  const failed = rows.find(({ failure }) => failure !== undefined)
  const row = { workload, connections: options.connections, target: name }
  if (failed !== undefined) return { ...row, failure: `${failed.target}: ${failed.failure}` }
  const ratio = of => ratioOf(rows[0].rounds.map((round, index) => [of(round), of(rows[1].rounds[index])]))
  return {
    ...row,
    // What PostgreSQL does for a request counts: work may have moved there.
    cpu: ratio(({ cpu, databaseCpu = 0 }) => cpu + databaseCpu),
    time: ratio(({ rate }) => 1 / rate),
    rows
  }
}

function cells ({ target, failure, cpu, time, rows }) {
  if (failure !== undefined) return [target, 'FAILED', ...Array(COLUMNS.length - 2).fill('')]
  const [then, now] = rows.map(row => [digits(row.cpu + (row.databaseCpu ?? 0)), Math.round(row.rate).toLocaleString('en-US')])
  const interval = ({ ratio, low, high }) => [ratio.toFixed(3), `${low.toFixed(3)} to ${high.toFixed(3)}`]
  return [target, then[0], now[0], ...interval(cpu), then[1], now[1], ...interval(time)]
}

function sentence (row) {
  if (row.failure !== undefined) return `${nameOf(row)}: not compared. ${row.failure.replace(/\s+/g, ' ')}`
  return `${nameOf(row)}: ${verdict(row.cpu, 'CPU')}; ${verdict(row.time, 'time')}.`
}

const nameOf = ({ workload, connections, target }) => `${rowName(workload, connections)} on ${target}`

/** Describes whether 1 is outside the interval. */
function verdict ({ ratio, low, high }, what) {
  const change = `${what} per request ${percent(ratio)} (${percent(low)} to ${percent(high)})`
  if (low > 1) return `slower, ${change}`
  return high < 1 ? `faster, ${change}` : `no difference seen, ${change}`
}

function percent (ratio) {
  const change = 100 * (ratio - 1)
  return `${change < 0 ? '−' : '+'}${Math.abs(change).toFixed(1)} %`
}
