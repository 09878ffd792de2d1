import { RevocationList } from '@frontdesk/schemas/revocations'
import { FetchError, classifyFailure } from '@frontdesk/service-kit/outgoing/failure'
import { fetchJson } from '@frontdesk/service-kit/outgoing/fetch-json'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { FeedClock } from './feed-clock.js'
import type { Source } from './revoked.js'

/** Between full reads of the feed, which find entries that a cursor skipped because of a wrong clock. */
const FULL_INTERVAL_MS = 10 * 60_000
/** How long a full read can delay the next read of new entries; longer while tokens wait for it. */
const FULL_SLICE_MS = 1_000
const CATCH_UP_SLICE_MS = 3_000
/** Maximum pages of a full read. */
const MAX_FULL_PAGES = 20_000
/** Limits of a read of new entries: pages, and time, which is less while a full read catches up. */
const MAX_NEW_PAGES = 2_000
const NEW_MS = 5_000
const NEW_SLICE_MS = 1_000
/** Maximum delay between an entry's time and its commit, when it becomes readable, in seconds. */
export const MAX_COMMIT_S = 60

/** What a {@link FeedReader} needs. */
interface Feed {
  /** Reads a page and stores its entries. @param after cursor; empty for the first page */
  read (after: string, source: Source): Promise<RevocationList>
  readonly clock: Pick<FeedClock, 'hasJumped' | 'now'>
  /** Milliseconds. */
  readonly monotonic: () => number
}

/**
 * Reads new entries of a feed and, periodically, the whole feed, each within limits. If there are too many new entries, it
 * continues with the newest and leaves the rest to a full read.
 */
export class FeedReader {
  readonly #feed: Feed
  #next = ''
  /** Where the full read continues; `null` if none is under way. */
  #fullNext: string | null = null
  #fullPages = 0
  #fullAt = -Infinity
  #hasRead = false
  #unreadUntil = -Infinity

  constructor (feed: Feed) {
    this.#feed = feed
  }

  /** Unread entries may revoke tokens issued before this time, in seconds since 1970; `-Infinity`: none are unread. */
  get unreadUntil (): number {
    return this.#unreadUntil
  }

  /** Reads the entries after the last cursor. @throws FetchError */
  async readNew (): Promise<void> {
    const { clock, monotonic } = this.#feed
    const begun = monotonic()
    if (this.#next === '') this.#fullAt = begun
    // Corrects a time from a clock that was ahead.
    this.#unreadUntil = Math.min(this.#unreadUntil, Math.floor(clock.now()) + 1)
    try {
      await this.#readPages(begun)
    } catch (error) {
      // If the feed responds, a list that is too long is no reason to reject all tokens.
      if (!this.#hasRead || classifyFailure(error) !== 'too large') throw error
      if (this.#fullNext === null) [this.#fullNext, this.#fullPages] = [this.#next, 0]
      const asked = Math.floor(clock.now() - (monotonic() - begun) / 1_000)
      this.#unreadUntil = asked + 1
      this.#next = `${(asked - MAX_COMMIT_S) * 1_000}`
    }
  }

  async #readPages (begun: number) {
    const { monotonic } = this.#feed
    const end = begun + (this.#unreadUntil === -Infinity ? NEW_MS : NEW_SLICE_MS)
    for (let [pages, more] = [0, true]; more;) {
      if (++pages > MAX_NEW_PAGES || monotonic() > end) {
        throw new FetchError('too large', 'the list of revocations is too long for one fetch')
      }
      const list = await this.#read(this.#next, 'new')
      this.#next = list.next
      more = list.more
    }
  }

  async #read (after: string, source: Source): Promise<RevocationList> {
    const list = await this.#feed.read(after, source)
    this.#hasRead = true
    if (list.more && list.next === after) throw new FetchError('too large', 'the list of revocations does not go on')
    return list
  }

  /**
   * Continues a full read: periodically, after a clock has jumped, and to catch up.
   * @returns whether it is complete
   * @throws FetchError
   */
  async readFull (): Promise<boolean> {
    const { clock, monotonic } = this.#feed
    const begun = monotonic()
    const isDue = this.#fullNext === null && begun - this.#fullAt >= FULL_INTERVAL_MS
    if (clock.hasJumped() || isDue) [this.#fullNext, this.#fullPages] = ['', 0]
    const end = begun + (this.#unreadUntil === -Infinity ? FULL_SLICE_MS : CATCH_UP_SLICE_MS)
    while (this.#fullNext !== null && monotonic() < end) {
      if (this.#fullPages >= MAX_FULL_PAGES) {
        [this.#fullNext, this.#fullPages] = ['', 0]
        throw new FetchError('too large', 'the list of revocations has no end')
      }
      const list = await this.#read(this.#fullNext, 'full')
      this.#fullPages++
      this.#fullNext = list.more ? list.next : null
      if (list.more) continue
      this.#fullAt = monotonic()
      this.#next = list.next
      this.#unreadUntil = -Infinity
      return true
    }
    return false
  }
}

const revocationList = TypeCompiler.Compile(RevocationList)

/** Maximum characters of an id or a cursor: those of auth-server have about 50. */
const MAX_LENGTH = 200

/**
 * Fetches a page of the revocation feed.
 * @param after `next` of the previous page; empty for everything
 * @throws FetchError if the response is late, or not such a page
 */
export async function fetchRevocations (url: string, after: string, signal?: AbortSignal): Promise<RevocationList> {
  const address = after === '' ? url : `${url}?after=${encodeURIComponent(after)}`
  const { json } = await fetchJson(address, signal === undefined ? {} : { signal })
  if (!revocationList.Check(json) || !isSane(json)) throw new FetchError('no revocations', 'the answer is not a list of revocations')
  return json
}

/** Whether ids and times are within the bounds that limit the cache's size. */
function isSane ({ revoked, next, now = 0 }: RevocationList): boolean {
  return next.length <= MAX_LENGTH && Number.isSafeInteger(now) &&
    revoked.every(({ id, ends, before = 0, at = 0 }) => id.length <= MAX_LENGTH && [ends, before, at].every(Number.isSafeInteger))
}
