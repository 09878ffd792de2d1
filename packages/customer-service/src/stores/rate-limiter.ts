import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { openCounters } from '@frontdesk/database/counters'
import { query, sql } from '@frontdesk/database/sql'
import { hash } from 'node:crypto'
import { RateLimiterMemory, RateLimiterPrisma, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateLimit } from '../settings/rate-limit.js'
import { requestCounted } from '../telemetry/events.js'

/** How long a count may take, in milliseconds: a slow database must not delay a request twice. */
const TIMEOUT_MS = 500

/** Counters that one statement removes, at most. */
const REMOVAL_BATCH = 500

/** What a caller has left. */
export interface Usage {
  isExceeded: boolean
  remaining: number
  /** Until the window ends. */
  resetSeconds: number
}

/** Counts requests. */
export interface RateLimiter {
  readonly limit: RateLimit
  /** Counts a request of a caller. Atomic, among all replicas. `null`: it could not be counted, and is let through. */
  count (caller: string): Promise<Usage | null>
  /** Removes expired counters in small statements. */
  removeExpired (): Promise<void>
}

/** Opens a rate limiter: on PostgreSQL in a table that replicas share, on SQLite in memory, since one process serves a file. */
export function openRateLimiter (connection: Connection, clock: Pick<Clock, 'now' | 'ahead' | 'settled'>, limit: RateLimit): RateLimiter {
  const options = { keyPrefix: 'requests', points: limit.requests, duration: limit.seconds }
  const limiter = connection.adapter.provider === 'postgres'
    ? new RateLimiterPrisma({
      ...options,
      storeClient: { throttle: openCounters(connection, clock) },
      tableName: 'throttle',
      clearExpiredByTimeout: false,
      // Further requests of a caller who has exceeded the limit cost no statement.
      inMemoryBlockOnConsumed: limit.requests + 1
    })
    : new RateLimiterMemory(options)
  const usage = ({ msBeforeNext }: RateLimiterRes, isExceeded: boolean, remaining: number): Usage =>
    ({ isExceeded, remaining, resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) })

  return {
    limit,
    async count (caller) {
      try {
        // A digest is short, and names no person.
        const counted = await inTime(limiter.consume(hash('sha256', caller, 'base64url')))
        requestCounted.publish({ outcome: 'accepted' })
        return usage(counted, false, counted.remainingPoints)
      } catch (error) {
        const isRefusal = error instanceof RateLimiterRes
        requestCounted.publish({ outcome: isRefusal ? 'refused' : 'failed' })
        return isRefusal ? usage(error, true, 0) : null
      }
    },
    async removeExpired () {
      const until = await clock.settled()
      if (until === null) return
      let rows
      do {
        rows = (await query(connection, { key: 'string' }, sql`
          DELETE FROM throttle WHERE key IN (SELECT key FROM throttle WHERE expire <= ${until} LIMIT ${REMOVAL_BATCH}) RETURNING key`)).length
      } while (rows === REMOVAL_BATCH)
    }
  }
}

async function inTime<T> (counting: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((resolve, reject) => {
    timer = setTimeout(() => { reject(new Error(`the request was not counted within ${TIMEOUT_MS} ms`)) }, TIMEOUT_MS)
  })
  return await Promise.race([counting, late]).finally(() => { clearTimeout(timer) })
}
