import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { openCounters } from '@frontdesk/database/counters'
import { hash } from 'node:crypto'
import { RateLimiterMemory, RateLimiterPrisma, RateLimiterRes } from 'rate-limiter-flexible'
import { SHARES_OF_USER, type Caller } from '../input/slots.js'
import type { RateLimit } from '../settings/rate-limit.js'
import { requestCounted } from '../telemetry/events.js'

/** Time limit of a count: a slow database must not delay a request twice. */
const TIMEOUT_MS = 500

interface Usage {
  isExceeded: boolean
  remaining: number
  /** Until the window ends. */
  resetSeconds: number
}

export interface RateLimiter {
  readonly limit: RateLimit
  /** Counts a request. Atomic across replicas. `null`: it could not be counted, and is accepted. */
  count (caller: Caller): Promise<Usage | null>
}

/** Opens a rate limiter: on PostgreSQL in a table that replicas share, on SQLite in memory, because one process serves a file. */
export function openRateLimiter (connection: Connection, clock: Pick<Clock, 'now' | 'ahead'>, limit: RateLimit): RateLimiter {
  const create = (keyPrefix: string, points: number) => {
    const options = { keyPrefix, points, duration: limit.seconds }
    if (connection.dialect !== 'postgresql') return new RateLimiterMemory(options)
    return new RateLimiterPrisma({
      ...options,
      storeClient: { throttle: openCounters(connection, clock) },
      tableName: 'throttle',
      clearExpiredByTimeout: false,
      // A caller who has exceeded the limit costs no further statement.
      inMemoryBlockOnConsumed: points + 1
    })
  }
  const perClient = create('requests', limit.requests)
  const perUser = create('person', SHARES_OF_USER * limit.requests)
  /** In this order: a rejected request of one client must not count for the others. */
  const consume = async ({ client, user }: Caller) => {
    const counted = [await perClient.consume(digest(client)), await perUser.consume(digest(user))]
    return counted.reduce((least, it) => it.remainingPoints < least.remainingPoints ? it : least)
  }
  const usage = ({ msBeforeNext }: RateLimiterRes, isExceeded: boolean, remaining: number): Usage =>
    ({ isExceeded, remaining, resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) })

  return {
    limit,
    async count (caller) {
      try {
        const counted = await inTime(consume(caller))
        requestCounted.publish({ outcome: 'accepted' })
        return usage(counted, false, counted.remainingPoints)
      } catch (error) {
        const isRefusal = error instanceof RateLimiterRes
        requestCounted.publish({ outcome: isRefusal ? 'refused' : 'failed' })
        return isRefusal ? usage(error, true, 0) : null
      }
    }
  }
}

/** Makes a short key without personal data. */
function digest (text: string): string {
  return hash('sha256', text, 'base64url')
}

async function inTime<T> (counting: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((resolve, reject) => {
    timer = setTimeout(() => { reject(new Error(`the request was not counted within ${TIMEOUT_MS} ms`)) }, TIMEOUT_MS)
  })
  return await Promise.race([counting, late]).finally(() => { clearTimeout(timer) })
}
