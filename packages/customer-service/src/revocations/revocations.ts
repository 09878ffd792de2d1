import type { AccessToken } from '@frontdesk/schemas/access-token'
import type { RevocationList } from '@frontdesk/schemas/revocations'
import { setTimeout } from 'node:timers/promises'
import { CLOCK_LEEWAY_S } from '../lifetimes.js'
import { AskError, failureOf, type FailureCode } from '@frontdesk/service-kit/doctor/failure'
import { revocationsUnavailable, tokenInvalid } from '../problems/access.js'
import { revocationsFetched } from '../telemetry/events.js'
import { FeedClock, TICKS, type Ticks } from './feed-clock.js'
import { fetchRevocations } from './fetch-revocations.js'
import { Revoked } from './revoked.js'

/** How the list is kept up to date. */
export interface RevocationsOptions {
  url: string
  /** How old the last answer may be before tokens are refused, in seconds. */
  maxAge: number
  log: { info (details: object, message: string): void, warn (details: object, message: string): void }
  fetch?: typeof fetchRevocations
  ticks?: Ticks
  /** Entries that are kept, at most. */
  capacity?: number
}

/** Between fetches, in milliseconds: no later does access end after it was taken back. */
const INTERVAL = 4_000
/** Before the first attempt after one that failed; twice as long before each further one. */
const FIRST_RETRY = 250
/** Between full reads of the list, in milliseconds: they find what a cursor of a wrong clock has skipped. */
const FULL_INTERVAL = 10 * 60_000
/** Time for a full read between two fetches of what is new, which has to come within seconds, in milliseconds. */
const FULL_TIME = 1_000
/** Pages that are read at once, and how long that may take, in milliseconds: a list that has no end is none. */
const MAX_PAGES = 2_000
const MAX_TIME = 60_000
/** How much longer than a token can be accepted its revocation is kept, and how often others are forgotten, in seconds. */
const MARGIN = 10 * 60
const FORGET_INTERVAL = 60

/**
 * What the authorization server has revoked, pulled in the background: a request asks nobody. While the authorization
 * server is away, what is known is used for `maxAge` seconds; after that nothing is let through.
 */
export class Revocations {
  readonly #options: Required<Pick<RevocationsOptions, 'url' | 'maxAge' | 'log' | 'fetch' | 'ticks'>>
  readonly #stop = new AbortController()
  readonly #revoked: Revoked
  readonly #clock: FeedClock
  #next = ''
  /** Where the full read goes on; `null` if none is under way. */
  #fullNext: string | null = null
  #fullPages = 0
  #fullAt = -Infinity
  /** Of tokens that could be accepted until then at the latest, revocations are forgotten. Seconds since 1970. */
  #forgotten = -Infinity
  #fetchedAt: number | undefined
  #failure: FailureCode | undefined

  constructor ({ fetch = fetchRevocations, ticks = TICKS, capacity, ...options }: RevocationsOptions) {
    this.#options = { ...options, fetch, ticks }
    this.#revoked = new Revoked(capacity)
    this.#clock = new FeedClock(ticks)
  }

  /** Whether what is known is young enough to rely on. */
  get areKnown () {
    return this.#fetchedAt !== undefined && this.#options.ticks.monotonic() - this.#fetchedAt < this.#options.maxAge * 1_000
  }

  /** What came of the fetches: seconds since one went well, and why the last one failed, if so. */
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
   * Refuses a token that is revoked by itself, with its grant or with a group, whatever this machine's clock says.
   * @param groups of the token, see `revocationGroups`
   * @throws ProblemError `token-invalid` if it is revoked, `revocations-unavailable` if that is not known
   */
  check ({ jti, grant_id: grant = jti, iat, exp }: AccessToken, groups: readonly string[]): void {
    if (!this.areKnown) throw revocationsUnavailable('It is not known which access tokens were revoked. Try again in a moment.')
    if (exp + CLOCK_LEEWAY_S <= this.#forgotten) throw tokenInvalid('The access token has ended. Sign in again.', { reason: 'ended by the clock of the authorization server' })
    if (this.#revoked.has(jti, iat) || this.#revoked.has(grant, iat) || groups.some(group => this.#revoked.has(group, iat))) {
      throw tokenInvalid('Access was taken back. Sign in again.', { reason: 'revoked' })
    }
  }

  /** Begins to fetch; resolves after the first attempt. Goes on until {@link stop}. */
  async start (): Promise<void> {
    await this.refresh()
    this.#goOn().catch(() => {})
  }

  /** Ends all fetching. */
  stop () {
    this.#stop.abort()
  }

  async #goOn () {
    for (let retry = FIRST_RETRY; ; retry = this.#failure === undefined ? FIRST_RETRY : Math.min(retry * 2, INTERVAL)) {
      await setTimeout(this.#failure === undefined ? INTERVAL : retry, undefined, { ref: false, signal: this.#stop.signal })
      await this.refresh()
    }
  }

  /** Fetches once. Never throws: what came of it is in {@link fetches}. */
  async refresh (): Promise<void> {
    const { url, log, ticks } = this.#options
    // First: what has ended makes room for what is read.
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
      // Once until it works again: the server may be away for long.
      if (this.#failure === undefined && !this.#stop.signal.aborted) log.warn({ url, err }, 'revocations of the authorization server cannot be fetched; trying again')
      this.#failure = failureOf(err)
      revocationsFetched.publish({ outcome: this.#failure })
    }
  }

  /** Reads on from where the list ended last. */
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

  /** Reads some pages of the whole list: now and then, and after a clock has jumped. */
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
      // All that is revoked is known again: if the server's clock was set back, tokens that had ended by it have not.
      this.#forgotten = Math.min(this.#forgotten, this.#clock.now())
    }
  }

  async #read (after: string): Promise<RevocationList> {
    const { url, fetch, ticks } = this.#options
    const sent = ticks.monotonic()
    const list = await fetch(url, after, this.#stop.signal)
    // The clock first: by it entries end, which makes room again if there is none for these.
    if (list.now !== undefined) this.#clock.tell(list.now, sent)
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
