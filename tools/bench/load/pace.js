import { setTimeout as wait } from 'node:timers/promises'
import { Connection } from './connection.js'
import { asker } from './drive.js'

/**
 * Sends requests at a rate. Times are from when a request was due, or `inTurn`, where each waits for the answer to the last, from when it
 * was sent.
 * @param {{ port: number, rate: number, seconds: number, inTurn?: boolean,
 *   next: (index: number) => { kind: string, request: import('./request.js').Request, expect?: number }, runTime?: () => number }} options
 *   `next` gets the number of the request; `expect`: its status, 200 unless given; `runTime`: how long servers have run
 * @returns {Promise<Array<{ kind: string, ms: number, cpu: number, failure: string | undefined }>>}
 *   `cpu`: how long the servers ran meanwhile, in milliseconds
 */
export async function pace ({ port, rate, seconds, next, inTurn = false, runTime = () => 0 }) {
  const idle = []
  const answers = []
  const under = new Set()
  const start = performance.now()
  for (let index = 0; index < rate * seconds; index++) {
    const due = start + index * 1000 / rate
    await wait(Math.max(0, due - performance.now()))
    if (inTurn && performance.now() - start > 1000 * seconds) break
    const { kind, request, expect = 200 } = next(index)
    const connection = idle.pop() ?? new Connection(port)
    // A timer can be early.
    const [begin, ran] = [inTurn ? performance.now() : Math.min(due, performance.now()), runTime()]
    const answered = failure => { answers.push({ kind, ms: performance.now() - begin, cpu: runTime() - ran, failure }) }
    const asked = asker(connection)(request)
      .then(
        ({ status, body }) => answered(status === expect ? undefined : `${request.path}: ${status} ${body.slice(0, 500)}`),
        error => answered(error.message)
      )
      .finally(() => {
        idle.push(connection)
        under.delete(asked)
      })
    under.add(asked)
    if (inTurn) await asked
  }
  await Promise.all(under)
  for (const connection of idle) connection.close()
  return answers
}

/** How long the answers of a kind took, ascending; or their `cpu`. */
export function timesOf (answers, kind, field = 'ms') {
  return answers.filter(it => it.kind === kind).map(it => it[field]).sort((one, other) => one - other)
}

/** Prints the first failed answers. Returns whether there are none. */
export function reportFailures (answers) {
  const failures = answers.filter(({ failure }) => failure !== undefined)
  for (const { kind, failure } of failures.slice(0, 5)) console.log(`${kind} FAILED: ${failure}`)
  return failures.length === 0
}
