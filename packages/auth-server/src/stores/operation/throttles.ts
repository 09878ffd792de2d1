import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { openCounters } from '@frontdesk/database/counters'
import { RateLimiterPrisma, RateLimiterRes } from 'rate-limiter-flexible'

/** A rate limit: how many attempts in how many seconds. */
interface Limit {
  readonly name: string
  readonly points: number
  /** Seconds, from the first attempt on. */
  readonly duration: number
}

export interface Counted {
  /** Seconds to wait if the limit is exceeded, else 0. */
  readonly retryAfter: number
  /** Share of the limit that earlier attempts have used: 0 is none, above 1 the limit is exceeded. */
  readonly used: number
}

/** A rate limiter that all replicas share. */
export interface Throttle {
  /** Counts an attempt before it is made, so that concurrent attempts cannot exceed the limit. Atomic. */
  count (key: string): Promise<Counted>
  /** Takes one attempt back. */
  takeBack (key: string): Promise<void>
  reset (key: string): Promise<void>
}

export interface Throttles {
  /** Makes a rate limiter. */
  under (limit: Limit): Throttle
}

export function openThrottles (connection: Connection, clock: Pick<Clock, 'now' | 'ahead'>): Throttles {
  const throttle = openCounters(connection, clock)
  return {
    under ({ name, points, duration }) {
      const limiter = new RateLimiterPrisma({
        storeClient: { throttle }, tableName: 'throttle', keyPrefix: name, points, duration, clearExpiredByTimeout: false
      })
      return {
        async count (key) {
          const { consumedPoints, msBeforeNext } = await limiter.consume(key).catch(refused => {
            if (refused instanceof RateLimiterRes) return refused
            throw refused
          })
          const retryAfter = consumedPoints > points ? Math.max(1, Math.ceil(msBeforeNext / 1000)) : 0
          return { retryAfter, used: (consumedPoints - 1) / points }
        },
        async takeBack (key) { await limiter.reward(key) },
        async reset (key) { await limiter.delete(key) }
      }
    }
  }
}
