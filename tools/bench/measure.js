import { drive } from './load/drive.js'
import { cores } from './machine/cores.js'
import { busyOf, cpuOfTree } from './machine/cpu.js'

/** Maximum attempts at a round while something else uses the server's core. */
const ATTEMPTS = 3
/** Tolerated use of the core by other processes. */
const DISTURBANCE = 0.25

/**
 * A measurement. CPU times are microseconds a request, latencies milliseconds.
 * @typedef {{ rate: number, p50: number, p99: number, cpu: number, databaseCpu: number | undefined, disturbed: boolean,
 *   failure: string | undefined }} Round
 */

/**
 * Warms a target up and measures one round of a workload.
 * @param {object} subject
 * @param {import('./target.js').Target} subject.target
 * @param {import('./context.js').Context} subject.context
 * @param {{ pid: number }[]} subject.servers
 * @param {number[]} subject.ports
 * @param {{ cpu: () => number } | undefined} subject.database
 * @param {string} workload
 * @param {{ seconds: number, warmUp: number, connections: number }} options
 * @returns {Promise<Round>}
 */
export async function measure (subject, workload, { seconds, warmUp, connections }) {
  const { ports } = subject
  let rate = 0
  for (let spent = 0, requests = Math.ceil(500 * warmUp); spent < warmUp; requests *= 3) {
    const load = await prepare(subject, workload, requests, { seconds, connections })
    const { count, seconds: took, failure } = await drive({ ports, connections, seconds: warmUp - spent, load })
    if (failure !== undefined) return failed(failure)
    rate = count / took
    spent += Math.max(took, 0.05)
  }
  for (let attempt = 1; ; attempt++) {
    const load = await prepare(subject, workload, Math.ceil(rate * seconds * 1.3) + 2 * connections, { seconds, connections })
    const round = await watch(subject, () => drive({ ports, connections, seconds, load }))
    if (!round.disturbed || round.failure !== undefined || attempt === ATTEMPTS) return round
  }
}

/** Creates the load; adds the customers that a load deletes. */
async function prepare ({ target, context, ports }, workload, requests, { seconds, connections }) {
  Object.assign(context, { requests, connections })
  if (workload === 'delete' && context.undeleted() < requests) {
    context.requests = requests - context.undeleted()
    const load = await target.workloads.post(context)
    const { failure } = await drive({
      ports,
      connections: 32,
      seconds: 5 * seconds,
      load: { ...load, requests: take(load.requests, context.requests) }
    })
    if (failure !== undefined) throw new Error(`Cannot register customers to delete. ${failure}`)
  }
  return await target.workloads[workload](context)
}

function * take (requests, count) {
  if (count <= 0) return
  for (const request of requests) {
    yield request
    // Before the next one is created: otherwise its id would not be registered.
    if (--count <= 0) return
  }
}

/** Measures the CPU time of the server and the database, and whether something else used the server's core. */
export async function watch ({ servers, database }, work) {
  const read = () => ({
    server: sum(servers.map(({ pid }) => cpuOfTree(pid))),
    database: database?.cpu() ?? 0,
    busy: cores === undefined ? 0 : busyOf(cores.server)
  })
  const before = read()
  const { count, seconds, latencies, failure } = await work()
  const after = read()
  if (failure !== undefined) return failed(failure)
  const [server, inDatabase] = [after.server - before.server, after.database - before.database]
  const others = after.busy - before.busy - server - inDatabase
  return {
    rate: count / seconds,
    p50: at(latencies, 0.5),
    p99: at(latencies, 0.99),
    cpu: server / count,
    databaseCpu: database === undefined ? undefined : inDatabase / count,
    disturbed: others > DISTURBANCE * seconds * 1e6,
    failure: count === 0 ? 'no request was answered' : undefined
  }
}

const failed = failure => ({ rate: NaN, p50: NaN, p99: NaN, cpu: NaN, databaseCpu: undefined, disturbed: false, failure })
const sum = numbers => numbers.reduce((total, it) => total + it, 0)

/** A quantile of ascending numbers. */
export function at (numbers, quantile) {
  return numbers[Math.min(numbers.length - 1, Math.floor(numbers.length * quantile))] ?? NaN
}
