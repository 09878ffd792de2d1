import type { AccessToken } from '@frontdesk/schemas/access-token'
import type { RevocationList } from '@frontdesk/schemas/revocations'
import { setTimeout } from 'node:timers/promises'
import { CLOCK_LEEWAY_S } from '@frontdesk/service-kit/clock-leeway'
import { AskError, failureOf, type FailureCode } from '@frontdesk/service-kit/doctor/failure'
import { revocationsUnavailable, tokenInvalid } from '../problems/access.js'
import { revocationsFetched } from '../telemetry/events.js'
import { FeedClock, TICKS, type Ticks } from './feed-clock.js'
import { fetchRevocations } from './fetch-revocations.js'
import { Revoked } from './revoked.js'

/** How the revocations are fetched. */
export interface RevocationsOptions {
  url: string
  /** Age of the last fetch from which all tokens are rejected, in seconds. */
  maxAge: number
  log: { info (details: object, message: string): void, warn (details: object, message: string): void }
  fetch?: typeof fetchRevocations
  ticks?: Ticks
  /** Entries, at most. */
  capacity?: number
}

/** Between fetches, in milliseconds: a revocation takes effect within this time. */
const INTERVAL = 4_000
/** Exponential backoff: the first delay after a failure; each further one is twice as long. */
const FIRST_RETRY = 250
/** Between full reads of the feed, in milliseconds: they find entries that a cursor skipped because of a wrong clock. */
const FULL_INTERVAL = 10 * 60_000
/** Time of a full read between two fetches of new entries, in milliseconds: those must not be delayed. */
const FULL_TIME = 1_000
/** Pages of one fetch, and its duration in milliseconds, at most: protects against an endless feed. */
const MAX_PAGES = 2_000
const MAX_TIME = 60_000
/** How much longer than its token an entry is kept, and how often expired entries are removed, in seconds. */
const MARGIN = 10 * 60
const FORGET_INTERVAL = 60

/**
 * What the authorization server has revoked, polled in the background: no request waits for it. While the authorization
 * server is unreachable, the cache is used for `maxAge` seconds; after that, every token is rejected.
 */
export class Revocations {
  readonly #options: Required<Pick<RevocationsOptions, 'url' | 'maxAge' | 'log' | 'fetch' | 'ticks'>>
  readonly #stop = new AbortController()
  readonly #revoked: Revoked
  readonly #clock: FeedClock
  #next = ''
  /** Where the full read continues; `null` if none is under way. */
  #fullNext: string | null = null
  #fullPages = 0
  #fullAt = -Infinity
  /** Revocations of tokens that expired by then are removed. Seconds since 1970. */
  #forgotten = -Infinity
  #fetchedAt: number | undefined
  #failure: FailureCode | undefined

  constructor ({ fetch = fetchRevocations, ticks = TICKS, capacity, ...options }: RevocationsOptions) {
    this.#options = { ...options, fetch, ticks }
    this.#revoked = new Revoked(capacity)
    this.#clock = new FeedClock(ticks)
  }

  /** Whether the cache is fresh enough. */
  get areKnown () {
    return this.#fetchedAt !== undefined && this.#options.ticks.monotonic() - this.#fetchedAt < this.#options.maxAge * 1_000
  }

  /** State of the fetches: seconds since the last success, and the failure of the last one, if it failed. */
  get fetches (): { ageSeconds?: number, failure?: FailureCode } {
    return {
      ...(this.#fetchedAt === undefined ? {} : { ageSeconds: Math.floor((this.#options.ticks.monotonic() - this.#fetchedAt) / 1_000) }),
      ...(this.#failure === undefined ? {} : { failure: this.#failure })
    }
  }

  /** Seconds that the authorization server's clock is ahead of this machine's; `null` if it is not known. */
  get ahead (): number | null {
    return this.#clock.ahead()
  }

  /**
   * Rejects a token that is revoked, itself or with its grant or one of its groups, whatever this machine's clock shows.
   * @param groups of the token, see `revocationGroups`
   * @throws ProblemError `token-invalid` if it is revoked, `revocations-unavailable` if that is not known
   */
  check ({ jti, grant_id: grant = jti, iat, exp }: AccessToken, groups: readonly string[]): void {
    if (!this.areKnown) throw revocationsUnavailable('It is not known which access tokens were revoked. Try again in a moment.')
    if (exp + CLOCK_LEEWAY_S <= this.#forgotten) {
      throw tokenInvalid('The access token has ended. Sign in again.', { reason: 'ended by the clock of the authorization server' })
    }
    if (this.#revoked.has(jti, iat) || this.#revoked.has(grant, iat) || groups.some(group => this.#revoked.has(group, iat))) {
      throw tokenInvalid('Access was taken back. Sign in again.', { reason: 'revoked' })
    }
  }

  /** Starts to fetch; resolves after the first fetch. Continues until {@link stop}. */
  async start (): Promise<void> {
    await this.refresh()
    this.#goOn().catch(() => {})
  }

  /** Stops all fetches. */
  stop () {
    this.#stop.abort()
  }

  async #goOn () {
    for (let retry = FIRST_RETRY; ; retry = this.#failure === undefined ? FIRST_RETRY : Math.min(retry * 2, INTERVAL)) {
      await setTimeout(this.#failure === undefined ? INTERVAL : retry, undefined, { ref: false, signal: this.#stop.signal })
      await this.refresh()
    }
  }

  /** Fetches once. Never throws: the outcome is in {@link fetches}. */
  async refresh (): Promise<void> {
    const { url, log, ticks } = this.#options
    // First, to make room for new entries.
    this.#forget()
    try {
      if (this.#next === '') this.#fullAt = ticks.monotonic()
      await this.#readNew()
      if (this.#failure !== undefined || this.#fetchedAt === undefined) log.info({ url }, 'revocations of the authorization server fetched')
      this.#fetchedAt = ticks.monotonic()
      this.#failure = undefined
      revocationsFetched.publish({ outcome: 'ok' })
      await this.#readFull()
    } catch (err) {
      // Logged once until it recovers: the server may be unreachable for long.
      if (this.#failure === undefined && !this.#stop.signal.aborted) {
        log.warn({ url, err }, 'revocations of the authorization server cannot be fetched; trying again')
      }
      this.#failure = failureOf(err)
      revocationsFetched.publish({ outcome: this.#failure })
    }
  }

  /** Reads the entries after the last cursor. */
  async #readNew () {
    const { monotonic } = this.#options.ticks
    const begun = monotonic()
    let pages = 0
    for (let more = true; more;) {
      if (++pages > MAX_PAGES || monotonic() - begun > MAX_TIME) throw new AskError('too large', 'the list of revocations has no end')
      const list = await this.#read(this.#next)
      this.#next = list.next
      more = list.more
    }
  }

  /** Reads some pages of the whole feed: periodically, and after a clock has jumped. */
  async #readFull () {
    const { monotonic } = this.#options.ticks
    const begun = monotonic()
    const isDue = this.#fullNext === null && begun - this.#fullAt >= FULL_INTERVAL
    if (this.#clock.hasJumped() || isDue) [this.#fullNext, this.#fullPages] = ['', 0]
    while (this.#fullNext !== null && monotonic() - begun < FULL_TIME) {
      if (this.#fullPages >= MAX_PAGES) {
        [this.#fullNext, this.#fullPages] = ['', 0]
        throw new AskError('too large', 'the list of revocations has no end')
      }
      const list = await this.#read(this.#fullNext)
      this.#fullPages++
      this.#fullNext = list.more ? list.next : null
      if (list.more) continue
      this.#fullAt = monotonic()
      // All entries are known again: if the server's clock was set back, tokens that had expired by it are valid again.
      this.#forgotten = Math.min(this.#forgotten, this.#clock.now())
    }
  }

  async #read (after: string): Promise<RevocationList> {
    const { url, fetch, ticks } = this.#options
    const sent = ticks.monotonic()
    const list = await fetch(url, after, this.#stop.signal)
    // The clock first: entries expire by it, which makes room for these.
    if (list.now !== undefined) this.#clock.observe(list.now, sent)
    for (const entry of list.revoked) this.#revoked.add(entry)
    if (list.more && list.next === after) throw new AskError('no revocations', 'the list of revocations does not go on')
    return list
  }

  #forget () {
    const settled = this.#clock.settled()
    if (settled === null || settled - MARGIN < this.#forgotten + FORGET_INTERVAL) return
    this.#forgotten = settled - MARGIN
    this.#revoked.forget(this.#forgotten - CLOCK_LEEWAY_S)
  }
}
