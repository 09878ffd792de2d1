/** How many attempts within how many seconds. */
export interface Limit {
  readonly name: string
  readonly points: number
  /** Seconds, from the first attempt on. */
  readonly duration: number
}

/** A counter of attempts under a limit, shared by all replicas. */
export interface Throttle {
  /**
   * Counts one more attempt before it is made, so that attempts at once are all counted.
   * @returns seconds to wait if that was one too many, else 0
   */
  count (key: string): Promise<number>
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
