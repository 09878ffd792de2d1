import { retryInBackground } from '../stores/background-retry.js'
import type { Counted, Throttle } from '../stores/operation/throttles.js'

/** Counts an attempt by its sources, with one statement. @param keys for the first of the throttles, narrowest first */
export function createCounters (throttles: readonly Throttle[], keys: readonly string[]) {
  const counters = keys.map((key, width) => ({ key, throttle: throttles[width]! }))
  let begun: readonly Counter[] = []
  let raised: readonly Counter[] = counters
  return {
    /** Counts the attempt. @returns the longest time to wait, and the largest used share */
    async count (): Promise<Counted> {
      const counted = await Promise.all(counters.map(({ throttle, key }) => throttle.count(key)))
      begun = counters.filter((_, width) => counted[width]!.used === 0)
      // An attempt that is refused for a narrow source does not count for the wider ones.
      const refused = counted.findIndex(({ retryAfter }) => retryAfter > 0)
      raised = refused === -1 ? counters : counters.slice(0, refused + 1)
      await Promise.all(counters.slice(raised.length).map(takeBack))
      return { retryAfter: Math.max(0, ...counted.map(it => it.retryAfter)), used: Math.max(0, ...counted.map(it => it.used)) }
    },
    /** Removes the counters that the attempt has begun. Never rejects. */
    async forget () { await Promise.all(begun.map(reset)) },
    /** Takes the attempt back. Never rejects. */
    async takeBack () { await Promise.all(raised.map(takeBack)) },
    /** Resets the narrowest source. On the wider ones, which other users share, takes one attempt back. Never rejects. */
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
