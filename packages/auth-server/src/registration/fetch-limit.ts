import { createCounters } from '../sign-in/counters.js'
import { sourcesOf } from '../sign-in/source.js'
import type { Throttles } from '../stores/throttles.js'

/** Most fetches for one source in ten minutes: an IPv4 address or a /64, then a /56 and a /48. */
const FETCHES = [30, 60, 120].map(points => ({ name: 'client document', points, duration: 10 * 60 }))

/** Counts a fetch of what an app publishes, that no operator vouches for. Resolves to `false` if its source has caused too many. */
export type FetchLimit = (address: string) => Promise<boolean>

/** Makes {@link FetchLimit}. */
export function createFetchLimit (throttles: Pick<Throttles, 'under'>): FetchLimit {
  const limits = FETCHES.map(it => throttles.under(it))
  return async address => (await createCounters(limits, sourcesOf(address)).count()).retryAfter === 0
}
