import { SteadyTime } from '@frontdesk/service-kit/steady-time'

/** Where the time of this machine comes from, both in milliseconds: since 1970, and since any moment without jumps. */
export interface Ticks {
  readonly machine: () => number
  readonly monotonic: () => number
}

export const TICKS: Ticks = { machine: () => Date.now(), monotonic: () => performance.now() }

/** How far the feed's time may seem to jump, in milliseconds: it has whole seconds, and a slow answer takes some. */
const TOLERANCE = 10_000

/** The authorization server's clock, as its feed tells it, and this machine's. Either may jump. */
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

  /** Takes the time of an answer. @param now seconds since 1970 @param sent when it was asked for, monotonic */
  tell (now: number, sent: number): void {
    const told = { time: now * 1_000 + 500, at: (sent + this.#ticks.monotonic()) / 2 }
    this.#told = told
    // as: it is told above.
    this.#feed ??= new SteadyTime(() => this.#told!.time, () => this.#told!.at, TOLERANCE)
    this.#look()
  }

  /** Whether either clock has jumped since this was asked last. */
  hasJumped (): boolean {
    this.#look()
    const jumped = this.#jumped
    this.#jumped = false
    return jumped
  }

  /** What has ended by this time has ended by both clocks, which have gone well for long. Seconds since 1970; `null` if they have not. */
  settled (): number | null {
    this.#look()
    const own = this.#own.settled()
    const feed = this.#feed === undefined ? own : this.#feed.settled()
    return own === null || feed === null ? null : Math.min(own, feed) / 1_000
  }

  /** The authorization server's time, or this machine's where it is not told. Seconds since 1970 */
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
