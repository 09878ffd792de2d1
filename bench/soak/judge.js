import { at } from '../measure.js'
import { median } from '../rows.js'

/** How much memory may grow in the second half, and how many more descriptors may be open at its end. */
const GROWTH = 0.05
const DESCRIPTORS = 5

/**
 * Whether a process stayed as it was in the second half of a run: each end of it is the median of its samples there,
 * since the memory of a process breathes with its garbage collection.
 * @param {import('./sample.js').Sample[]} samples
 * @param {import('../load/drive.js').Outcome} outcome
 * @param {string | undefined} failure
 */
export function judge (samples, { count, seconds, latencies }, failure) {
  const half = samples.slice(samples.length >> 1)
  const part = Math.max(1, Math.ceil(half.length / 5))
  const ends = key => [half.slice(0, part), half.slice(-part)].map(list => median(list.map(it => it[key])))
  const [rss, descriptors] = [ends('rss'), ends('descriptors')]
  const delays = samples.map(({ delay }) => delay)
  const growth = rss[1] / rss[0] - 1
  const complaints = [
    failure !== undefined && `FAILED: ${failure.replace(/\s+/g, ' ')}`,
    samples.length < 4 && 'too short to tell',
    growth > GROWTH && 'memory grows',
    descriptors[1] > descriptors[0] + DESCRIPTORS && 'descriptors leak'
  ].filter(Boolean)
  return {
    rate: count / seconds,
    p99: at(latencies, 0.99),
    rss,
    grown: 100 * growth,
    descriptors,
    delay: median(delays),
    worstDelay: Math.max(...delays),
    verdict: complaints.join('; ') || 'good'
  }
}
