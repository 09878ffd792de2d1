import { Connection } from './connection.js'
import { write } from './request.js'

/** How long to wait for responses after the end, in milliseconds. */
const LAST_ANSWER_TIMEOUT_MS = 60_000

/**
 * The requests of a workload, each sent once; or visits, in which a request depends on the previous response.
 * @typedef {object} Load
 * @property {Iterable<import('./request.js').Request>} [requests]
 * @property {number | ((status: number, head: string, body: string) => boolean)} [expect]
 * @property {(ask: (request: import('./request.js').Request) => Promise<import('./connection.js').Answer>) => Promise<void>} [visit]
 *   throws for an unexpected response
 */

/**
 * @typedef {object} Outcome
 * @property {number} count requests, or visits, with the expected response
 * @property {number} seconds from the first request to the last response
 * @property {Float64Array} latencies milliseconds, ascending
 * @property {string | undefined} failure the first unexpected response
 */

/**
 * Sends a load for some time. Each connection sends the next request when it has the response to the last one.
 * @param {{ ports: number[], connections: number, seconds: number, load: Load, pause?: number, signal?: AbortSignal }} options
 *   `pause`: milliseconds before the next request; `signal`: ends it early
 * @returns {Promise<Outcome>}
 */
export async function drive ({ ports, connections, seconds, load, pause = 0, signal }) {
  const run = { latencies: [], failure: undefined }
  const start = performance.now()
  const inTime = () => run.failure === undefined && !signal?.aborted && performance.now() - start < seconds * 1000
  const next = load.visit === undefined ? sendFrom(load, run) : visitWith(load, run)
  const open = Array.from({ length: connections }, (_, index) => new Connection(ports[index % ports.length]))
  const timer = setTimeout(() => { for (const connection of open) connection.fail() }, seconds * 1000 + LAST_ANSWER_TIMEOUT_MS)
  await Promise.all(open.map(async connection => {
    await new Promise(resolve => {
      const step = () => { if (!inTime() || !next(connection, again)) resolve() }
      const again = pause === 0 ? step : () => setTimeout(step, pause)
      step()
    })
    connection.close()
  }))
  clearTimeout(timer)
  const elapsed = (performance.now() - start) / 1000
  return { count: run.latencies.length, seconds: elapsed, latencies: Float64Array.from(run.latencies).sort(), failure: run.failure }
}

/** Makes the check of a load's responses. */
export function expectation (expect) {
  return typeof expect === 'number' ? status => status === expect : expect
}

/** Sends one request. Returns `false` if there are no more. */
function sendFrom ({ requests, expect }, run) {
  const iterator = requests[Symbol.iterator]()
  const isExpected = expectation(expect)
  return (connection, again) => {
    const { value, done } = iterator.next()
    if (done) return false
    const text = write(value)
    const sent = performance.now()
    connection.send(text, (error, answer) => {
      if (error === null && isExpected(answer.status, answer.head, answer.body)) run.latencies.push(performance.now() - sent)
      else run.failure ??= `${value.method ?? 'GET'} ${value.path}: ${error?.message ?? `${answer.head}${answer.body}`.slice(0, 500)}`
      again()
    })
    return true
  }
}

function visitWith ({ visit }, run) {
  return (connection, again) => {
    const ask = asker(connection)
    const sent = performance.now()
    visit(ask).then(() => { run.latencies.push(performance.now() - sent) }, error => { run.failure ??= error.message }).then(again)
    return true
  }
}

/** Sends a request and returns its response. */
export function asker (connection) {
  return request => new Promise((resolve, reject) => {
    connection.send(write(request), (error, answer) => { if (error === null) resolve(answer); else reject(error) })
  })
}
