import type { AccessToken } from '@frontdesk/schemas/access-token'
import { revocationGroups, type RevocationList } from '@frontdesk/schemas/revocations'
import { setTimeout } from 'node:timers/promises'
import { CLOCK_LEEWAY_S } from '@frontdesk/service-kit/clock-leeway'
import { classifyFailure, type FailureCode } from '@frontdesk/service-kit/outgoing/failure'
import { revocationsUnavailable, tokenInvalid } from '../problems/access.js'
import { revocationsFetched } from '../telemetry/events.js'
import { FeedClock, TICKS, type Ticks } from './feed-clock.js'
import { FeedReader, fetchRevocations } from './feed-reader.js'
import { RevocationCache } from './revocation-cache.js'
import { MAX_ENTRIES, type Fingerprints, type Source } from './revoked.js'

export interface RevocationsOptions {
  url: string
  /** Age of the last successful fetch at which all tokens are rejected, in seconds. */
  maxAge: number
  log: { info (details: object, message: string): void, warn (details: object, message: string): void }
  fetch?: typeof fetchRevocations
  ticks?: Ticks
  /** Maximum entries. */
  capacity?: number
}

/** Between fetches: the time within which a revocation takes effect. */
const FETCH_INTERVAL_MS = 4_000
/** Between fetches while a long list is read. */
const CATCH_UP_INTERVAL_MS = 500
/** Exponential backoff: the first delay. */
const FIRST_RETRY_MS = 250
/** Part of the capacity from which the list is reported. */
const REPORTED_PART = 0.5

/**
 * What the authorization server has revoked, polled in the background: no request waits for it. While the authorization server
 * is unreachable, the cache remains in use for `maxAge` seconds; after that, every token is rejected. If the list is too long
 * or not yet complete, only its newest entries are known, and tokens that others may revoke are rejected.
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

  /** Whether the cache is at most `maxAge` seconds old. */
  get areKnown () {
    return this.#fetchedAt !== undefined && this.#options.ticks.monotonic() - this.#fetchedAt < this.#options.maxAge * 1_000
  }

  /** Seconds since the last successful fetch, and why the last fetch failed. */
  get fetches (): { ageSeconds?: number, failure?: FailureCode } {
    return {
      ...(this.#fetchedAt === undefined ? {} : { ageSeconds: Math.floor((this.#options.ticks.monotonic() - this.#fetchedAt) / 1_000) }),
      ...(this.#failure === undefined ? {} : { failure: this.#failure })
    }
  }

  /** Seconds that the authorization server's clock is ahead of this machine's; `null` if unknown. */
  get ahead (): number | null {
    return this.#clock.ahead()
  }

  /** Number of entries in the cache. */
  get entries (): number {
    return this.#cache.revoked.size
  }

  /** A problem of the list, or one that is near; `null`: none. */
  get fault (): string | null {
    if (this.#reader.unreadUntil > -Infinity) {
      return `is still being read: access tokens issued before ${format(this.#knownFrom)} are refused meanwhile`
    }
    if (this.entries < this.#capacity * REPORTED_PART) return null
    const { droppedUntil } = this.#cache.revoked
    const consequence = droppedUntil === -Infinity ? '' : `; access tokens issued before ${format(droppedUntil)} are refused`
    return `holds ${this.entries} entries of at most ${this.#capacity}${consequence}`
  }

  /** The fingerprints of what can revoke a token: its id, its grant and its groups. */
  fingerprints (claims: AccessToken): Fingerprints {
    const { jti, grant_id: grant = jti } = claims
    return this.#cache.revoked.fingerprints([jti, grant, ...revocationGroups(claims)])
  }

  /**
   * Rejects a token that is revoked by its id, its grant or a group, regardless of this machine's clock.
   * @param fingerprints see {@link Revocations.fingerprints}
   * @throws ProblemError `token-invalid` if it is or may be revoked, `revocations-unavailable` if the cache is too old
   */
  check ({ iat, exp }: AccessToken, fingerprints: Fingerprints): void {
    if (!this.areKnown) throw revocationsUnavailable('Access tokens cannot be checked for revocation right now. Try again in a moment.')
    if (exp + CLOCK_LEEWAY_S <= this.#cache.forgotten) {
      throw tokenInvalid('The access token has expired. Sign in again.', { reason: 'expired by the authorization server\'s clock' })
    }
    if (this.#cache.revoked.has(fingerprints, iat)) throw tokenInvalid('Access was revoked. Sign in again.', { reason: 'revoked' })
    if (iat < this.#knownFrom) {
      throw tokenInvalid('The access token is too old. Sign in again.', { reason: 'issued before the oldest known revocation' })
    }
  }

  /** All revocations of tokens issued since this time are known, in seconds since 1970. */
  get #knownFrom (): number {
    return Math.max(this.#reader.unreadUntil, this.#cache.revoked.droppedUntil)
  }

  /** Fetches now, and then periodically until {@link stop}. Resolves after the first fetch. */
  async start (): Promise<void> {
    await this.refresh()
    this.#poll().catch(() => {})
  }

  /** Stops all fetches. */
  stop () {
    this.#stop.abort()
  }

  async #poll () {
    for (let retry = FIRST_RETRY_MS; ; retry = this.#failure === undefined ? FIRST_RETRY_MS : Math.min(retry * 2, FETCH_INTERVAL_MS)) {
      const interval = this.#reader.unreadUntil > -Infinity ? CATCH_UP_INTERVAL_MS : FETCH_INTERVAL_MS
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
      // Logged once until it recovers, as the server may be unreachable for long.
      if (this.#failure === undefined && !this.#stop.signal.aborted) {
        log.warn({ url, err }, 'cannot fetch the authorization server\'s revocations; retrying')
      }
      this.#failure = classifyFailure(err)
      revocationsFetched.publish({ outcome: this.#failure })
    }
    this.#report()
  }

  /** Logs when a fault of the list begins and ends. */
  #report () {
    const { log, url } = this.#options
    const { fault } = this
    // Without its numbers, which change all the time.
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
    // The clock first, because entries expire by it.
    if (list.now !== undefined) this.#clock.observe(list.now, sent)
    this.#cache.add(list.revoked, source, list.now)
    return list
  }
}

function format (time: number): string {
  return new Date(time * 1_000).toISOString()
}
