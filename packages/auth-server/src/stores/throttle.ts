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
