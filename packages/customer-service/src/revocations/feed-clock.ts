import { SteadyTime } from '@frontdesk/service-kit/steady-time'

/** This machine's clocks in milliseconds: since 1970, and monotonic. */
export interface Ticks {
  readonly machine: () => number
  readonly monotonic: () => number
}

export const TICKS: Ticks = { machine: () => Date.now(), monotonic: () => performance.now() }

/** Jumps of the feed's time that are ignored, in milliseconds: it has whole seconds, and responses take time. */
const TOLERANCE_MS = 10_000

/** The authorization server's clock, as the feed shows it, and this machine's. Either can jump. */
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

  /** Records the time in a response. @param now seconds since 1970 @param sent when the request was sent, monotonic */
  observe (now: number, sent: number): void {
    const told = { time: now * 1_000 + 500, at: (sent + this.#ticks.monotonic()) / 2 }
    this.#told = told
    // as: set above.
    this.#feed ??= new SteadyTime(() => this.#told!.time, () => this.#told!.at, TOLERANCE_MS)
    this.#look()
  }

  /** Whether either clock has jumped since the last call. */
  hasJumped (): boolean {
    this.#look()
    const jumped = this.#jumped
    this.#jumped = false
    return jumped
  }

  /** A time that has certainly passed by both clocks, in seconds since 1970; `null` if one has jumped recently. */
  settled (): number | null {
    this.#look()
    const own = this.#own.settled()
    const feed = this.#feed === undefined ? own : this.#feed.settled()
    return own === null || feed === null ? null : Math.min(own, feed) / 1_000
  }

  /** The authorization server's time if it is known, else this machine's, in seconds since 1970. */
  now (): number {
    return this.#ticks.machine() / 1_000 + (this.ahead() ?? 0)
  }

  /** Seconds that the authorization server's clock is ahead of this machine's; `null` if unknown. */
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
