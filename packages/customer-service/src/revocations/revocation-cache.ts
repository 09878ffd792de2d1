import type { RevocationEntry } from '@frontdesk/schemas/revocations'
import { CLOCK_LEEWAY_S } from '@frontdesk/service-kit/clock-leeway'
import type { FeedClock } from './feed-clock.js'
import { MAX_COMMIT_S } from './feed-reader.js'
import { Revoked, type Fingerprints, type Source } from './revoked.js'

/** How much longer than its token an entry is kept, and how often expired entries are looked for, in seconds. */
const MARGIN_S = 10 * 60
const FORGET_INTERVAL_S = 60

/** What is revoked, by the clocks of this machine and of the authorization server. Times are seconds since 1970. */
export class RevocationCache {
  readonly #clock: Pick<FeedClock, 'now' | 'settled'>
  readonly #revoked: Revoked
  #forgotten = -Infinity

  constructor (clock: Pick<FeedClock, 'now' | 'settled'>, capacity?: number) {
    this.#clock = clock
    this.#revoked = new Revoked(capacity)
  }

  /** How many entries there are. */
  get size (): number {
    return this.#revoked.size
  }

  /** Revocations of tokens that expired by then are removed. */
  get forgotten (): number {
    return this.#forgotten
  }

  /** Entries were dropped that can revoke tokens issued before this time; `-Infinity`: none was. */
  get droppedUntil (): number {
    return this.#revoked.droppedUntil
  }

  /** See {@link Revoked.fingerprints}. */
  fingerprints (ids: readonly string[]): Fingerprints {
    return this.#revoked.fingerprints(ids)
  }

  /** See {@link Revoked.has}. */
  has (fingerprints: Fingerprints, iat: number): boolean {
    return this.#revoked.has(fingerprints, iat)
  }

  /** Adds the entries of a page. @param received when it was, by the authorization server's clock; default: by what is known of it */
  add (entries: readonly RevocationEntry[], source: Source, received = Math.floor(this.#clock.now())): void {
    const ended = Math.min(this.#forgotten, this.#clock.now()) - CLOCK_LEEWAY_S
    for (const entry of entries) if (entry.ends > ended) this.#revoked.add({ ...entry, newest: newestOf(entry, received) }, source)
  }

  /** Makes room: removes what has ended. To be called before each fetch. */
  forget (): void {
    const settled = this.#clock.settled()
    if (settled !== null && settled - MARGIN_S >= this.#forgotten + FORGET_INTERVAL_S) this.#forgotten = settled - MARGIN_S
    this.#revoked.forget(this.#forgotten - CLOCK_LEEWAY_S)
    this.#revoked.setBack(Math.floor(this.#clock.now()))
  }

  /** All entries were read again: if the server's clock was set back, tokens that had expired by it are valid again. */
  restore (): void {
    this.#forgotten = Math.min(this.#forgotten, this.#clock.now())
  }
}

/**
 * The time before which the tokens were issued that an entry can revoke: until it was committed, which was before it was
 * received; or `before`, which is some seconds later. No clock of the server can make it much later than now.
 */
function newestOf ({ at = Infinity, before = -Infinity }: RevocationEntry, received: number): number {
  return Math.max(Math.min(at + MAX_COMMIT_S, received + 1), Math.min(before, received + CLOCK_LEEWAY_S))
}
