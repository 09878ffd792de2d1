import type { FastifyInstance } from 'fastify'
import { Event } from '../telemetry/event.js'

/** A run of a periodic job has ended; `skipped`: another replica holds the lease. */
export const jobEnded = new Event<{ name: string, outcome: 'done' | 'failed' | 'skipped' }>('frontdesk.job')

/** A job that a server repeats. */
export interface PeriodicJob {
  readonly name: string
  /** Maximum time between runs. */
  readonly everyMs: number
  readonly run: () => Promise<unknown>
  /** Acquires or renews a lease, which one replica at a time holds. Default: every replica runs the job. */
  readonly lease?: () => Promise<boolean>
  /** Also runs when the server begins to listen. Default: first after the interval. */
  readonly runsAtListen?: boolean
  /** Maximum backoff after failures. Default: half a minute. */
  readonly maxBackoffMs?: number
  /** Log message of a failed run. */
  readonly warning: string
  /** Level of that message. Default: `warn`. */
  readonly level?: 'warn' | 'error'
}

const MAX_BACKOFF_MS = 30_000

/** Maximum part of the interval to subtract, so that replicas that start together drift apart. */
const JITTER = 0.1

/** Repeats a job while the server listens, without overlap. After failures, the interval doubles up to the maximum backoff. */
export function periodic (
  fastify: FastifyInstance,
  { name, everyMs, run, lease, runsAtListen = false, maxBackoffMs = MAX_BACKOFF_MS, warning, level = 'warn' }: PeriodicJob
): void {
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let isStopped = false

  async function runOnce () {
    try {
      const isHolder = lease === undefined || await lease()
      if (isHolder) await run()
      failures = 0
      jobEnded.publish({ name, outcome: isHolder ? 'done' : 'skipped' })
    } catch (err) {
      if (isStopped) return
      failures++
      fastify.log[level]({ err }, warning)
      jobEnded.publish({ name, outcome: 'failed' })
    }
    schedule()
  }
  function schedule () {
    if (isStopped) return
    const backoff = Math.min(everyMs * 2 ** failures, maxBackoffMs)
    timer = setTimeout(runOnce, Math.max(everyMs, backoff) * (1 - JITTER * Math.random())).unref()
  }
  function stop () {
    isStopped = true
    clearTimeout(timer)
  }

  fastify.addHook('onListen', async () => {
    fastify.stopping.addEventListener('abort', stop)
    if (runsAtListen) runOnce()
    else schedule()
  })
  fastify.addHook('onClose', async () => stop())
}
