import type { FastifyInstance } from 'fastify'
import { Event } from '../telemetry/event.js'

/** A run of a periodic job has ended; `skipped`: another replica holds the lease. */
export const jobEnded = new Event<{ name: string, outcome: 'done' | 'failed' | 'skipped' }>('frontdesk.job')

/** Work that a server repeats while it listens. */
export interface PeriodicJob {
  readonly name: string
  /** Longest time between two runs, in milliseconds. */
  readonly everyMs: number
  readonly run: () => Promise<unknown>
  /** Acquires or renews the right to run: one replica at a time holds it. Default: every replica runs. */
  readonly lease?: () => Promise<boolean>
  /** Whether it also runs at once when the server listens. Default: first after the interval. */
  readonly runsAtListen?: boolean
  /** Longest backoff after failures, in milliseconds. Default: half a minute. */
  readonly maxBackoffMs?: number
  /** Log message of a failed run. */
  readonly warning: string
  /** Its level. Default: `warn`. */
  readonly level?: 'warn' | 'error'
}

const MAX_BACKOFF_MS = 30_000

/** Runs differ by up to this share of the interval, so that replicas that start together drift apart. */
const JITTER = 0.1

/**
 * Repeats a job from when the server listens until it drains. Runs never overlap. After failures, the interval doubles up to the
 * longest backoff.
 */
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
