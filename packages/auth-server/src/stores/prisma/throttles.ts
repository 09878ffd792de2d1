import { RateLimiterPrisma, RateLimiterRes } from 'rate-limiter-flexible'
import type { Clock } from '../clock.js'
import type { Throttles } from '../throttle.js'
import { openCounters } from './counters.js'
import type { Database } from './database.js'
import type { Connection } from '@frontdesk/database/connection'

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
