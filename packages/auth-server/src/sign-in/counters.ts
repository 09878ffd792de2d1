import { retryInBackground } from '../stores/background-retry.js'
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
      await Promise.all(counters.map(counter => counter === counters[0] ? reset(counter) : takeBack(counter)))
    }
  }
}

interface Counter { readonly throttle: Throttle, readonly key: string }

// Both retry: a failure of this server must not count. If all retries fail, the attempt counts until its window ends.
function takeBack ({ throttle, key }: Counter): Promise<void> {
  return retryInBackground(() => throttle.takeBack(key))
}

function reset ({ throttle, key }: Counter): Promise<void> {
  return retryInBackground(() => throttle.reset(key))
}
