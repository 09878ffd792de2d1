import type { Throttles } from '../stores/operation/throttles.js'
import { createCounters } from './counters.js'
import { sourcesOf } from './source.js'

/** Maximum requests in 15 minutes from an IPv4 address or a /64, then from a /56 and a /48. */
const PER_SOURCE = [10, 20, 40].map(points => ({ points, duration: 15 * 60 }))

/** Maximum emails to one user: three in 15 minutes, and ten a day. */
const PER_USER = [{ points: 3, duration: 15 * 60 }, { points: 10, duration: 24 * 60 * 60 }]

/** Makes the limits of emails of one kind that people request. Each method counts one, and returns how many seconds to wait, else 0. */
export function createEmailLimit (throttles: Throttles, kind: string, perUser = PER_USER) {
  const bySource = PER_SOURCE.map(limit => throttles.under({ name: `${kind} source`, ...limit }))
  const byUser = perUser.map(limit => throttles.under({ name: `${kind} ${limit.duration}`, ...limit }))
  const wait = async (...[limits, keys]: Parameters<typeof createCounters>) => (await createCounters(limits, keys).count()).retryAfter
  return {
    ofSource: async (address: string) => await wait(bySource, sourcesOf(address)),
    ofUser: async (userId: string) => await wait(byUser, byUser.map(() => userId))
  }
}
