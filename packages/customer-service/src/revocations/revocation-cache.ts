import type { RevocationEntry } from '@frontdesk/schemas/revocations'
import { CLOCK_LEEWAY_S } from '@frontdesk/service-kit/clock-leeway'
import type { FeedClock } from './feed-clock.js'
import { MAX_COMMIT_S } from './feed-reader.js'
import { Revoked, type Source } from './revoked.js'

/** How much longer than its token an entry is kept, and the minimum time between removals, in seconds. */
const MARGIN_S = 10 * 60
const FORGET_INTERVAL_S = 60

/** Keeps {@link Revoked} by the clocks of this machine and of the authorization server. Times are seconds since 1970. */
export class RevocationCache {
  readonly revoked: Revoked
  readonly #clock: Pick<FeedClock, 'now' | 'settled'>
  #forgotten = -Infinity

  constructor (clock: Pick<FeedClock, 'now' | 'settled'>, capacity?: number) {
    this.#clock = clock
    this.revoked = new Revoked(capacity)
  }

  /** Revocations of tokens that expired by this time were removed. */
  get forgotten (): number {
    return this.#forgotten
  }

  /** Adds the entries of a page. @param received when, by the authorization server's clock; default: by the estimate of it */
  add (entries: readonly RevocationEntry[], source: Source, received = Math.floor(this.#clock.now())): void {
    const ended = Math.min(this.#forgotten, this.#clock.now()) - CLOCK_LEEWAY_S
    for (const entry of entries) if (entry.ends > ended) this.revoked.add({ ...entry, newest: latestIssueTime(entry, received) }, source)
  }

  /** Removes expired entries, to make room before each fetch. */
  forget (): void {
    const settled = this.#clock.settled()
    if (settled !== null && settled - MARGIN_S >= this.#forgotten + FORGET_INTERVAL_S) this.#forgotten = settled - MARGIN_S
    this.revoked.forget(this.#forgotten - CLOCK_LEEWAY_S)
    this.revoked.setBack(Math.floor(this.#clock.now()))
  }

  /** Call it after a full read: if the server's clock was set back, tokens that had expired by it are valid again. */
  restore (): void {
    this.#forgotten = Math.min(this.#forgotten, this.#clock.now())
  }
}

/**
 * The time before which an entry's tokens were issued: its commit, which was before it was received, or `before`, which can be
 * some seconds later. A wrong clock of the server cannot make it much later than now.
 */
function latestIssueTime ({ at = Infinity, before = -Infinity }: RevocationEntry, received: number): number {
  return Math.max(Math.min(at + MAX_COMMIT_S, received + 1), Math.min(before, received + CLOCK_LEEWAY_S))
}
