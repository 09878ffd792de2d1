import { SteadyTime } from '@frontdesk/service-kit/steady-time'

/** The clocks of this machine, in milliseconds: since 1970, and monotonic. */
export interface Ticks {
  readonly machine: () => number
  readonly monotonic: () => number
}

export const TICKS: Ticks = { machine: () => Date.now(), monotonic: () => performance.now() }

/** Apparent jump of the feed's time that is ignored, in milliseconds: it has whole seconds, and responses take time. */
const TOLERANCE = 10_000

/** The authorization server's clock, from the feed, and this machine's. Either may jump. */
export class FeedClock {
  readonly #ticks: Ticks
  readonly #own: SteadyTime
  #told: { time: number, at: number } | undefined
  #feed: SteadyTime | undefined
  #jumped = false

  constructor (ticks: Ticks) {
    this.#ticks = ticks
    this.#own = new SteadyTime(ticks.machine, ticks.monotonic)
  }

  /** Takes the time of a response. @param now seconds since 1970 @param sent when the request was sent, monotonic */
  observe (now: number, sent: number): void {
    const told = { time: now * 1_000 + 500, at: (sent + this.#ticks.monotonic()) / 2 }
    this.#told = told
    // as: set above.
    this.#feed ??= new SteadyTime(() => this.#told!.time, () => this.#told!.at, TOLERANCE)
    this.#look()
  }

  /** Whether either clock has jumped since the last call. */
  hasJumped (): boolean {
    this.#look()
    const jumped = this.#jumped
    this.#jumped = false
    return jumped
  }

  /** A time that has passed by both clocks, which have not jumped for long. Seconds since 1970; `null` if they have. */
  settled (): number | null {
    this.#look()
    const own = this.#own.settled()
    const feed = this.#feed === undefined ? own : this.#feed.settled()
    return own === null || feed === null ? null : Math.min(own, feed) / 1_000
  }

  /** The authorization server's time, or this machine's if that is unknown. Seconds since 1970. */
  now (): number {
    return this.#ticks.machine() / 1_000 + (this.ahead() ?? 0)
  }

  /** Seconds that the authorization server's clock is ahead of this machine's; `null` if it is not known. */
  ahead (): number | null {
    if (this.#told === undefined) return null
    const { machine, monotonic } = this.#ticks
    return (this.#told.time + monotonic() - this.#told.at - machine()) / 1_000
  }

  #look (): void {
    const jumps = [this.#own.look(), this.#feed?.look() ?? 0]
    this.#jumped ||= jumps.some(jump => jump !== 0)
  }
}
