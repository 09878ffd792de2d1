import type { Counted, Throttle } from '../stores/throttles.js'

/** The counters of an attempt from narrow to wide sources, as one: all are counted in the same statement. */
export interface Counters {
  /** @returns the longest time to wait, and the largest share used */
  count (): Promise<Counted>
  /** Takes the attempt back: it was none. */
  takeBack (): Promise<void>
  /** Forgets the attempts of the narrowest source; the wider ones hold those of others, so there it takes one back. */
  reset (): Promise<void>
}

/** @param keys one for each of the first throttles, narrowest first */
export function createCounters (throttles: readonly Throttle[], keys: readonly string[]): Counters {
  const counters = keys.map((key, width) => ({ key, throttle: throttles[width]! }))
  return {
    async count () {
      const counted = await Promise.all(counters.map(({ throttle, key }) => throttle.count(key)))
      // What a narrower source is refused is not held against the others of the wider ones.
      const refused = counted.findIndex(({ retryAfter }) => retryAfter > 0)
      if (refused !== -1) await Promise.all(counters.slice(refused + 1).map(({ throttle, key }) => throttle.takeBack(key)))
      return { retryAfter: Math.max(...counted.map(it => it.retryAfter)), used: Math.max(...counted.map(it => it.used)) }
    },
    async takeBack () { await Promise.all(counters.map(({ throttle, key }) => throttle.takeBack(key))) },
    async reset () {
      await Promise.all(counters.map(({ throttle, key }, width) => width === 0 ? throttle.reset(key) : throttle.takeBack(key)))
    }
  }
}
