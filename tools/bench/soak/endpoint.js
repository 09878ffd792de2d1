import { drive } from '../load/drive.js'
import { watch } from '../measure.js'
import { digits, table } from '../report/table.js'

/** Parts of a run, each a minute by default. The first one's cost is compared with the last one's. */
const PARTS = 10

/** Tolerated growth of CPU time per request. */
const GROWTH = 1.1

/** Warm-up, in seconds. */
const WARM_UP = 5

/**
 * Repeats one workload on a target and prints CPU per request, part by part.
 * @param {import('../subjects.js').Subjects} subjects
 * @param {string} name
 * @param {string} workload
 * @param {number} seconds
 * @returns {Promise<boolean>} whether the last part took no more CPU per request than the first, apart from the tolerated growth
 */
export async function soakEndpoint (subjects, name, workload, seconds) {
  const subject = await subjects.start(name)
  const { context, ports, target } = subject
  const load = await target.workloads[workload](context)
  const send = seconds => drive({ ports, connections: 32, seconds, load })
  const rounds = [await watch(subject, () => send(WARM_UP))]
  while (rounds.length <= PARTS && rounds.at(-1).failure === undefined) rounds.push(await watch(subject, () => send(seconds / PARTS)))
  await subjects.stop([name])
  const parts = rounds.slice(1)
  const growth = costOf(rounds.at(-1)) / costOf(rounds[1] ?? rounds[0])
  const { failure } = rounds.at(-1)
  const verdict = failure === undefined ? `last ÷ first: ${growth.toFixed(2)}` : `FAILED: ${failure.replace(/\s+/g, ' ')}`
  console.log(
    table(
      `${workload} on ${name}, parts of ${digits(seconds / PARTS)} s; ${verdict}`,
      ['part', 'requests/s', 'p99 ms', 'CPU µs', 'database CPU µs'],
      parts.map((it, index) => [
        `${index + 1}${it.disturbed ? ' ~' : ''}`,
        ...[it.rate, it.p99, it.cpu, it.databaseCpu].map(digits)
      ])
    )
  )
  return growth <= GROWTH
}

const costOf = ({ cpu, databaseCpu = 0 }) => cpu + databaseCpu
