import { createCounters } from '../sign-in/counters.js'
import { sourcesOf } from '../sign-in/source.js'
import type { Throttles } from '../stores/throttles.js'

/** Most registrations and changes of them from one source in an hour: an IPv4 address or a /64, then a /56 and a /48. */
const REGISTRATIONS = [20, 40, 80].map(points => ({ name: 'registration', points, duration: 60 * 60 }))

/** Counts a registration from an address. Returns how many seconds to wait if there are too many, else 0. */
export type CountRegistration = (address: string) => Promise<number>

/** Makes the limit. */
export function createCountRegistration (throttles: Throttles): CountRegistration {
  const bySource = REGISTRATIONS.map(it => throttles.under(it))
  return async address => (await createCounters(bySource, sourcesOf(address)).count()).retryAfter
}
