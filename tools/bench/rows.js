import { measure } from './measure.js'
import { rowName, workloads } from './workloads.js'

/**
 * A row of the table: medians of its rounds.
 * @typedef {{ workload: string, connections: number, target: string, group: string, database: string, rate: number, p50: number,
 *   p99: number, cpu: number, databaseCpu: number | undefined, rss: number, start: number, rounds: import('./measure.js').Round[],
 *   disturbed: boolean, failure: string | undefined, ratio?: { cpu: number, rate: number, p50: number } }} Row
 */

/**
 * Measures a workload on every target that has it, in alternating order: A B C, C B A, A B C…, so that the effects of one target
 * on the next, such as dirty pages, are spread.
 * @param {string} workload
 * @param {string[]} names
 * @param {import('./subjects.js').Subjects} subjects
 * @param {{ rounds: number, seconds: number, warmUp: number, connections?: number, onProgress?: (text: string) => void,
 *   restart?: boolean }} options `restart`: each round starts its server
 * @returns {Promise<Row[]>}
 */
export async function measureRows (workload, names, subjects, options) {
  const { rounds, seconds, warmUp, connections = 32, onProgress = () => {}, restart = false } = options
  const measured = new Map(names.map(name => [name, []]))
  for (let round = 1; round <= rounds; round++) {
    for (const name of round % 2 === 1 ? names : names.toReversed()) {
      onProgress(`${rowName(workload, connections)} ${round}/${rounds} ${name}`)
      if (measured.get(name).some(({ failure }) => failure !== undefined)) continue
      measured.get(name).push(await measureOne(name))
    }
  }
  const rows = names.map(name => ({ workload, connections, ...toRow(name, measured.get(name)) }))
  compare(workload, rows)
  return rows

  async function measureOne (name) {
    try {
      const subject = await subjects.start(name)
      const round = await measure(subject, workload, { seconds, warmUp, connections })
      const { group, database } = subject.target
      return { ...round, group, database, rss: subjects.rss(name), start: median(subject.starts) }
    } catch (error) {
      return { failure: error.message }
    } finally {
      if (restart) await subjects.stop([name])
    }
  }
}

function toRow (target, rounds) {
  const middle = key => median(rounds.map(it => it[key] ?? NaN))
  const { group, database, start } = rounds[0]
  const { rss } = rounds.at(-1)
  return {
    target,
    group,
    database,
    rate: middle('rate'),
    p50: middle('p50'),
    p99: middle('p99'),
    cpu: middle('cpu'),
    databaseCpu: rounds[0].databaseCpu === undefined ? undefined : middle('databaseCpu'),
    rss,
    start,
    rounds,
    disturbed: rounds.some(it => it.disturbed),
    failure: rounds.find(it => it.failure !== undefined)?.failure
  }
}

function compare (workload, rows) {
  const { baseline } = workloads[workload]
  for (const row of rows) {
    const base = rows.find(({ target }) => target === (baseline[row.database] ?? baseline.other))
    if (base === undefined || base.failure !== undefined) continue
    row.ratio = { cpu: base.cpu / row.cpu, rate: row.rate / base.rate, p50: row.p50 / base.p50 }
  }
}

/** The middle one of numbers, or the mean of the middle two. */
export function median (numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}
