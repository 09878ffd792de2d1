import { createCounters } from '../sign-in/counters.js'
import { sourcesOf } from '../sign-in/source.js'
import type { Throttles } from '../stores/operation/throttles.js'

/** Multiples of the limit for an IPv4 address or a /64, then for a /56 and a /48. */
const SHARES = [1, 2, 4]

/** Counts a registration from an address. Returns how many seconds to wait if there are too many, else 0. */
type CountRegistration = (address: string) => Promise<number>

/** Makes the limit. @param limit maximum registrations and updates from an address in an hour; 0: unlimited */
export function createCountRegistration (throttles: Throttles, limit: number): CountRegistration {
  if (limit === 0) return async () => 0
  const bySource = SHARES.map(share => throttles.under({ name: 'registration', points: limit * share, duration: 60 * 60 }))
  return async address => (await createCounters(bySource, sourcesOf(address)).count()).retryAfter
}

/** Maximum fetches in ten minutes for an IPv4 address or a /64, then for a /56 and a /48. */
const FETCHES = [30, 60, 120].map(points => ({ name: 'client document', points, duration: 10 * 60 }))

/** Counts a fetch for a client that no operator has approved. Resolves to `false` if its source has caused too many. */
export type FetchLimit = (address: string) => Promise<boolean>

/** Makes {@link FetchLimit}. */
export function createFetchLimit (throttles: Pick<Throttles, 'under'>): FetchLimit {
  const limits = FETCHES.map(it => throttles.under(it))
  return async address => (await createCounters(limits, sourcesOf(address)).count()).retryAfter === 0
}
