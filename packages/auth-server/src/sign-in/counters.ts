import { isUnavailable } from '@frontdesk/database/unavailable'
import { setTimeout } from 'node:timers/promises'
import pRetry from 'p-retry'
import type { Counted, Throttle } from '../stores/operation/throttles.js'

/** The rate limiters of an attempt, from its narrowest source to the widest. One statement counts them all. */
interface Counters {
  /** Counts the attempt. @returns the longest time to wait, and the largest used share */
  count (): Promise<Counted>
  /** Takes the attempt back. Never rejects. */
  takeBack (): Promise<void>
  /** Resets the narrowest source. On the wider ones, which other users share, takes one attempt back. Never rejects. */
  reset (): Promise<void>
}

/** @param keys for the first of the throttles, narrowest first */
export function createCounters (throttles: readonly Throttle[], keys: readonly string[]): Counters {
  const counters = keys.map((key, width) => ({ key, throttle: throttles[width]! }))
  return {
    async count () {
      const counted = await Promise.all(counters.map(({ throttle, key }) => throttle.count(key)))
      // An attempt that is refused for a narrow source does not count for the wider ones.
      const refused = counted.findIndex(({ retryAfter }) => retryAfter > 0)
      if (refused !== -1) await Promise.all(counters.slice(refused + 1).map(takeBack))
      return { retryAfter: Math.max(...counted.map(it => it.retryAfter)), used: Math.max(...counted.map(it => it.used)) }
    },
    async takeBack () { await Promise.all(counters.map(takeBack)) },
    async reset () {
      const reset = ({ throttle, key }: { throttle: Throttle, key: string }) => forgive(() => throttle.reset(key))
      await Promise.all(counters.map((counter, width) => width === 0 ? reset(counter) : takeBack(counter)))
    }
  }
}

function takeBack ({ throttle, key }: { throttle: Throttle, key: string }): Promise<void> {
  return forgive(() => throttle.takeBack(key))
}

/** How long a response waits, in milliseconds. */
const MAX_WAIT_MS = 500

/** Backoff of the retries, in milliseconds. */
const RETRIES = { minTimeout: 100, maxTimeout: 500, maxRetryTime: 120_000, retries: 1_000, unref: true }

/**
 * Sets a counter of failures back, and retries in the background while the database is unavailable: a failure of this server must
 * not count. Resolves after {@link MAX_WAIT_MS} at most, and never rejects.
 */
async function forgive (setBack: () => Promise<unknown>): Promise<void> {
  // If all retries fail, the attempt counts until its window ends.
  const done = pRetry(setBack, { ...RETRIES, shouldRetry: ({ error }) => isUnavailable(error) }).catch(() => {})
  await Promise.race([done, setTimeout(MAX_WAIT_MS, undefined, { ref: false })])
}
