import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { RateLimiterPrisma, RateLimiterRes } from 'rate-limiter-flexible'
import { openCounters } from './counters.js'
import type { Database } from './database.js'

/** How many attempts within how many seconds. */
export interface Limit {
  readonly name: string
  readonly points: number
  /** Seconds, from the first attempt on. */
  readonly duration: number
}

/** What a counter says of one more attempt. */
export interface Counted {
  /** Seconds to wait if it was one too many, else 0. */
  readonly retryAfter: number
  /** Share of the limit that earlier attempts have used: from 0, above 1 if there were too many. */
  readonly used: number
}

/** A counter of attempts under a limit, shared by all replicas. */
export interface Throttle {
  /** Counts one more attempt before it is made, so that concurrent attempts are all counted. */
  count (key: string): Promise<Counted>
  /** Takes one attempt back: it was none. */
  takeBack (key: string): Promise<void>
  /** Forgets every attempt. */
  reset (key: string): Promise<void>
}

/** Makes counters, and removes the ones that have ended. */
export interface Throttles {
  under (limit: Limit): Throttle
  /** Removes up to `limit` counters that have ended; says how many. */
  sweep (now: Date, limit: number): Promise<number>
}

/** {@link Throttles} in a database. */
export function openThrottles (database: Database, connection: Connection, clock: Pick<Clock, 'now' | 'ahead'>): Throttles {
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
    },
    async sweep (now, limit) {
      return (await database.throttle.deleteMany({ where: { expire: { lte: now } }, limit })).count
    }
  }
}
