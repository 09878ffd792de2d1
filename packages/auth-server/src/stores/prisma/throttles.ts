import type { RateLimiterPrisma, RateLimiterRes } from 'rate-limiter-flexible'
import type { Throttles } from '../throttle.js'
import { openCounters } from './counters.js'
import type { Database } from './database.js'
import type { Connection } from './generated/database/connect.js'

/** {@link Throttles} in a database. */
export function openThrottles (database: Database, connection: Connection): Throttles {
  const throttle = openCounters(connection)
  return {
    under ({ name, points, duration }) {
      let opened: Promise<RateLimiterPrisma> | undefined
      /** Not before somebody signs in: the library takes time to load. */
      const limiter = async () => await (opened ??= openLimiter({
        storeClient: { throttle }, tableName: 'throttle', keyPrefix: name, points, duration, clearExpiredByTimeout: false
      }))
      return {
        async count (key) {
          try {
            await (await limiter()).consume(key)
            return 0
          } catch (refused) {
            if (isRefusal(refused)) return Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
            throw refused
          }
        },
        async takeBack (key) { await (await limiter()).reward(key) },
        async reset (key) { await (await limiter()).delete(key) }
      }
    },
    async sweep (now, limit) {
      return (await database.throttle.deleteMany({ where: { expire: { lte: now } }, limit })).count
    }
  }
}

async function openLimiter (options: ConstructorParameters<typeof RateLimiterPrisma>[0]): Promise<RateLimiterPrisma> {
  const { RateLimiterPrisma } = await import('rate-limiter-flexible')
  return new RateLimiterPrisma(options)
}

/** Whether it is what the library throws for one too many, and no failure of the database. */
function isRefusal (thrown: unknown): thrown is RateLimiterRes {
  return thrown instanceof Object && 'msBeforeNext' in thrown
}
