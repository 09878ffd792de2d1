import type { AccessToken } from '@frontdesk/schemas/access-token'
import { revocationGroups, type RevocationList } from '@frontdesk/schemas/revocations'
import { setTimeout } from 'node:timers/promises'
import { CLOCK_LEEWAY_S } from '@frontdesk/service-kit/clock-leeway'
import { failureOf, type FailureCode } from '@frontdesk/service-kit/outgoing/failure'
import { revocationsUnavailable, tokenInvalid } from '../problems/access.js'
import { revocationsFetched } from '../telemetry/events.js'
import { FeedClock, TICKS, type Ticks } from './feed-clock.js'
import { FeedReader, fetchRevocations } from './feed-reader.js'
import { RevocationCache } from './revocation-cache.js'
import { MAX_ENTRIES, type Fingerprints, type Source } from './revoked.js'

/** How the revocations are fetched. */
export interface RevocationsOptions {
  url: string
  /** Age of the last fetch from which all tokens are rejected, in seconds. */
  maxAge: number
  log: { info (details: object, message: string): void, warn (details: object, message: string): void }
  fetch?: typeof fetchRevocations
  ticks?: Ticks
  /** Most entries. */
  capacity?: number
}

/** Between fetches, in milliseconds: a revocation takes effect within this time. */
const FETCH_INTERVAL_MS = 4_000
/** Between fetches while a long list is read, in milliseconds. */
const CATCH_UP_INTERVAL = 500
/** Exponential backoff: the first delay after a failure; each further one is twice as long. */
const FIRST_RETRY = 250
/** From which part of its limit on the list is reported. */
const LONG = 0.5

/**
 * What the authorization server has revoked, polled in the background: no request waits for it. While the authorization
 * server is unreachable, the cache is used for `maxAge` seconds; after that, every token is rejected. Of a list that is too long, or
 * not yet read to its end, only the newest entries are known: tokens that others may revoke are rejected, newer ones accepted.
 */
export class Revocations {
  readonly #options: Required<Pick<RevocationsOptions, 'url' | 'maxAge' | 'log' | 'fetch' | 'ticks'>>
  readonly #stop = new AbortController()
  readonly #capacity: number
  readonly #clock: FeedClock
  readonly #cache: RevocationCache
  readonly #reader: FeedReader
  #fetchedAt: number | undefined
  #failure: FailureCode | undefined
  #reported: string | null = null

  constructor ({ fetch = fetchRevocations, ticks = TICKS, capacity = MAX_ENTRIES, ...options }: RevocationsOptions) {
    this.#options = { ...options, fetch, ticks }
    this.#capacity = capacity
    this.#clock = new FeedClock(ticks)
    this.#cache = new RevocationCache(this.#clock, capacity)
    this.#reader = new FeedReader({
      read: async (after, source) => await this.#read(after, source), clock: this.#clock, monotonic: ticks.monotonic
    })
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

  /** How many entries are known. */
  get entries (): number {
    return this.#cache.size
  }

  /** What is wrong with the list, or soon can be; `null`: nothing. */
  get fault (): string | null {
    if (this.#reader.unreadUntil > -Infinity) {
      return `is still being read: access tokens issued before ${format(this.#knownFrom)} are refused meanwhile`
    }
    if (this.entries < this.#capacity * LONG) return null
    const { droppedUntil } = this.#cache
    const consequence = droppedUntil === -Infinity ? '' : `; access tokens issued before ${format(droppedUntil)} are refused`
    return `holds ${this.entries} entries of at most ${this.#capacity}${consequence}`
  }

  /** The fingerprints of what can revoke a token: itself, its grant, and its groups. */
  fingerprints (claims: AccessToken): Fingerprints {
    const { jti, grant_id: grant = jti } = claims
    return this.#cache.fingerprints([jti, grant, ...revocationGroups(claims)])
  }

  /**
   * Rejects a token that is revoked, itself or with its grant or one of its groups, whatever this machine's clock shows.
   * @param fingerprints see {@link Revocations.fingerprints}
   * @throws ProblemError `token-invalid` if it is or may be revoked, `revocations-unavailable` if nothing is known
   */
  check ({ iat, exp }: AccessToken, fingerprints: Fingerprints): void {
    if (!this.areKnown) throw revocationsUnavailable('Access tokens cannot be checked for revocation right now. Try again in a moment.')
    if (exp + CLOCK_LEEWAY_S <= this.#cache.forgotten) {
      throw tokenInvalid('The access token has expired. Sign in again.', { reason: 'expired by the authorization server\'s clock' })
    }
    if (this.#cache.has(fingerprints, iat)) throw tokenInvalid('Access was revoked. Sign in again.', { reason: 'revoked' })
    if (iat < this.#knownFrom) {
      throw tokenInvalid('The access token is too old. Sign in again.', { reason: 'issued before the oldest known revocation' })
    }
  }

  /** Of tokens issued from this time on, all revocations are known. Seconds since 1970. */
  get #knownFrom (): number {
    return Math.max(this.#reader.unreadUntil, this.#cache.droppedUntil)
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
    for (let retry = FIRST_RETRY; ; retry = this.#failure === undefined ? FIRST_RETRY : Math.min(retry * 2, FETCH_INTERVAL_MS)) {
      const interval = this.#reader.unreadUntil > -Infinity ? CATCH_UP_INTERVAL : FETCH_INTERVAL_MS
      await setTimeout(this.#failure === undefined ? interval : retry, undefined, { ref: false, signal: this.#stop.signal })
      await this.refresh()
    }
  }

  /** Fetches once. Never throws: the outcome is in {@link fetches}. */
  async refresh (): Promise<void> {
    const { url, log, ticks } = this.#options
    // First, to make room for new entries.
    this.#cache.forget()
    try {
      await this.#reader.readNew()
      if (this.#failure !== undefined || this.#fetchedAt === undefined) log.info({ url }, 'fetched the authorization server\'s revocations')
      this.#fetchedAt = ticks.monotonic()
      this.#failure = undefined
      revocationsFetched.publish({ outcome: 'ok' })
      if (await this.#reader.readFull()) this.#cache.restore()
    } catch (err) {
      // Logged once until it recovers: the server may be unreachable for long.
      if (this.#failure === undefined && !this.#stop.signal.aborted) {
        log.warn({ url, err }, 'cannot fetch the authorization server\'s revocations; retrying')
      }
      this.#failure = failureOf(err)
      revocationsFetched.publish({ outcome: this.#failure })
    }
    this.#report()
  }

  /** Logs when the list becomes too long, and when it is well again. */
  #report () {
    const { log, url } = this.#options
    const { fault } = this
    // The numbers in it change all the time.
    const kind = fault?.replace(/[\d:.TZ-]+/g, '') ?? null
    if (kind === this.#reported) return
    this.#reported = kind
    if (fault === null) log.info({ url }, 'the list of revocations is read, and not too long')
    else log.warn({ url }, `the list of revocations ${fault}`)
  }

  async #read (after: string, source: Source): Promise<RevocationList> {
    const { url, fetch, ticks } = this.#options
    const sent = ticks.monotonic()
    const list = await fetch(url, after, this.#stop.signal)
    // The clock first: entries expire by it, which makes room for these.
    if (list.now !== undefined) this.#clock.observe(list.now, sent)
    this.#cache.add(list.revoked, source, list.now)
    return list
  }
}

function format (time: number): string {
  return new Date(time * 1_000).toISOString()
}
