import { at } from '../measure.js'
import { median } from '../rows.js'

/** Tolerated growth of memory and of open descriptors in the second half. */
const GROWTH = 0.05
const DESCRIPTORS = 5
/** Maximum delay of 99 of 100 timers, in milliseconds. */
const DELAY = 20

/**
 * Compares the beginning and the end of a run's second half. The minimum of each part's memory counts: a leak raises what garbage
 * collections leave.
 * @param {import('./sample.js').Sample[]} samples
 * @param {import('../load/drive.js').Outcome} outcome
 * @param {string | undefined} failure
 */
export function judge (samples, { count, seconds, latencies }, failure) {
  const half = samples.slice(samples.length >> 1)
  const middle = Math.ceil(half.length / 2)
  const parts = (key, of) => [half.slice(0, middle), half.slice(middle)].map(list => of(list.map(it => it[key])))
  const [rss, descriptors] = [parts('rss', least), parts('descriptors', median)]
  const delays = samples.map(({ delay }) => delay)
  const growth = rss[1] / rss[0] - 1
  const complaints = [
    failure !== undefined && `FAILED: ${failure.replace(/\s+/g, ' ')}`,
    samples.length < 4 && 'too short to tell',
    growth > GROWTH && 'memory grows',
    descriptors[1] > descriptors[0] + DESCRIPTORS && 'descriptors leak',
    median(delays) >= DELAY && 'the event loop is late'
  ].filter(Boolean)
  return {
    rate: count / seconds,
    p99: at(latencies, 0.99),
    rss,
    grown: 100 * growth,
    most: Math.max(...samples.map(it => it.rss)),
    descriptors,
    delay: median(delays),
    worstDelay: Math.max(...delays),
    verdict: complaints.join('; ') || 'good'
  }
}

const least = numbers => Math.min(...numbers)
