import { readdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { rssOf } from '../machine/cpu.js'

/** prom-client's 99th percentile of the time between two ticks of a timer since the last scrape, in seconds. */
const DELAY = /^nodejs_eventloop_lag_p99_seconds(?:\{[^}]*\})? (\S+)$/m

/** The time without any delay, in milliseconds: the default of monitorEventLoopDelay. */
const TICK = 10

/**
 * Samples a process until the signal.
 * @typedef {{ rss: number, descriptors: number, delay: number }} Sample megabytes, a count, milliseconds that a timer came late
 * @param {{ pid: number, metricsPort: number, every: number, signal: AbortSignal }} options `every`: seconds
 * @returns {Promise<Sample[]>}
 */
export async function sample ({ pid, metricsPort, every, signal }) {
  const samples = []
  while (!signal.aborted) {
    await setTimeout(every * 1000, undefined, { signal }).catch(() => {})
    if (signal.aborted) break
    const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).then(answer => answer.text())
    const delay = 1000 * Number(DELAY.exec(metrics)?.[1] ?? NaN) - TICK
    samples.push({ rss: rssOf(pid), descriptors: readdirSync(`/proc/${pid}/fd`).length, delay })
  }
  return samples
}
