import { createKeySet } from '@frontdesk/service-kit/key-set'
import { classifyFailure, type FailureCode, FetchError } from '@frontdesk/service-kit/outgoing/failure'
import { fetchJson, type Answer } from '@frontdesk/service-kit/outgoing/fetch-json'
import { errors, type JWSHeaderParameters, type JSONWebKeySet } from 'jose'
import { setTimeout } from 'node:timers/promises'
import { keysUnavailable } from '../problems/access.js'
import { keysFetched } from '../telemetry/events.js'

type Find = ReturnType<typeof createKeySet>

interface KeysOptions {
  url: string
  log: { info (details: object, message: string): void, warn (details: object, message: string): void }
  fetch?: (url: string, signal: AbortSignal) => Promise<JwksText>
  /** Monotonic, in milliseconds: a clock that is set back must not delay fetches. */
  now?: () => number
}

/** Between successful fetches: the longest time that a withdrawn key is trusted. */
const REFRESH_INTERVAL_MS = 5 * 60_000
/** Minimum time between fetches for an unknown `kid`: attackers can invent any number of them. */
const UNKNOWN_KID_INTERVAL_MS = 30_000
/** How long a request waits for the key that it names. */
const KEY_WAIT_MS = 1_000
/** Exponential backoff: first and longest delay. */
const FIRST_RETRY_MS = 250
const LAST_RETRY_MS = 5_000

/** The authorization server's keys, fetched in the background. While it is unreachable, the cached keys remain in use. */
export class Keys {
  readonly #url: string
  readonly #log: KeysOptions['log']
  readonly #fetch: NonNullable<KeysOptions['fetch']>
  readonly #now: () => number
  readonly #stop = new AbortController()
  readonly #listeners: Array<() => void> = []
  #text = ''
  #set: Find | undefined
  #underway: Promise<boolean> | undefined
  #isFailing = false
  #fetchedAt: number | undefined
  #failure: FailureCode | undefined
  #lastUnknownKid = -Infinity
  #timer: NodeJS.Timeout | undefined

  constructor ({ url, log, fetch = fetchJwks, now = () => performance.now() }: KeysOptions) {
    this.#url = url
    this.#log = log
    this.#fetch = fetch
    this.#now = now
  }

  /** Whether keys have been fetched at least once. */
  get areKnown () {
    return this.#set !== undefined
  }

  /** Seconds since the last successful fetch, and why the last fetch failed. */
  get fetches (): { ageSeconds?: number, failure?: FailureCode } {
    return {
      ...(this.#fetchedAt === undefined ? {} : { ageSeconds: Math.max(0, Math.floor((this.#now() - this.#fetchedAt) / 1_000)) }),
      ...(this.#failure === undefined ? {} : { failure: this.#failure })
    }
  }

  /** Calls `listener` whenever the key set changes. */
  onChange (listener: () => void) {
    this.#listeners.push(listener)
  }

  /** Fetches now and periodically. Resolves after the first fetch: whether it succeeded. */
  async start (retry = FIRST_RETRY_MS): Promise<boolean> {
    const isFresh = await this.#refresh()
    if (this.#stop.signal.aborted) return isFresh
    clearTimeout(this.#timer)
    this.#timer = globalThis.setTimeout(
      () => this.start(isFresh ? FIRST_RETRY_MS : Math.min(retry * 2, LAST_RETRY_MS)),
      isFresh ? REFRESH_INTERVAL_MS : retry
    )
    this.#timer.unref()
    return isFresh
  }

  /** Stops all fetches. */
  stop () {
    this.#stop.abort()
    clearTimeout(this.#timer)
  }

  /**
   * Finds a key by `kid` and `alg`; ignores the header's other members, such as `jku` and `jwk`.
   * @throws ProblemError `keys-unavailable` before the first fetch, and while an unknown key cannot be fetched
   * @throws errors.JWKSNoMatchingKey
   */
  readonly find = async ({ alg, kid }: JWSHeaderParameters) => {
    if (typeof alg !== 'string' || typeof kid !== 'string') throw new errors.JWKSNoMatchingKey('the token names no kid')
    if (this.#set === undefined) throw keysUnavailable('Access tokens cannot be checked yet. Try again in a moment.')
    try {
      return await this.#set({ alg, kid })
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      const isFresh = await this.#refreshForUnknownKid()
      if (isFresh === undefined) throw keysUnavailable('This access token\'s key cannot be looked up right now. Try again in a moment.')
      if (!isFresh) throw error
      return await this.#set({ alg, kid })
    }
  }

  /** Fetches again, single-flight and rate-limited. Returns whether it did; `undefined` if that failed, and {@link start} retries. */
  async #refreshForUnknownKid (): Promise<boolean | undefined> {
    if (this.#isFailing) return undefined
    if (this.#underway === undefined) {
      if (this.#now() - this.#lastUnknownKid < UNKNOWN_KID_INTERVAL_MS) return false
      this.#lastUnknownKid = this.#now()
      clearTimeout(this.#timer)
    }
    const isFresh = await Promise.race([this.#underway ?? this.start(), setTimeout(KEY_WAIT_MS, undefined, { ref: false })])
    return isFresh || undefined
  }

  #refresh (): Promise<boolean> {
    this.#underway ??= this.#load().finally(() => { this.#underway = undefined })
    return this.#underway
  }

  async #load () {
    try {
      const { text, jwks } = await this.#fetch(this.#url, this.#stop.signal)
      this.#fetchedAt = this.#now()
      this.#failure = undefined
      keysFetched.publish({ outcome: 'ok' })
      if (text !== this.#text) {
        this.#set = createKeySet(jwks)
        this.#text = text
        for (const listener of this.#listeners) listener()
      } else if (!this.#isFailing) return true
      this.#isFailing = false
      this.#log.info({ url: this.#url, kids: jwks.keys.map(({ kid }) => kid) }, 'fetched the authorization server\'s keys')
      return true
    } catch (err) {
      // Logged once until it recovers, as the server may be unreachable for long.
      if (!this.#isFailing && !this.#stop.signal.aborted) {
        this.#log.warn({ url: this.#url, err }, 'cannot fetch the authorization server\'s keys; retrying')
      }
      this.#isFailing = true
      this.#failure = classifyFailure(err)
      keysFetched.publish({ outcome: this.#failure })
      return false
    }
  }
}

/** Maximum keys of a set: a lookup compares each of them. */
const MAX_KEYS = 100

/** A key set and its text, by which changes are found. */
interface JwksText { text: string, jwks: JSONWebKeySet }

/**
 * Fetches a key set (RFC 7517 §5). Does not follow redirects: keys come only from the configured URL.
 * @throws FetchError if the response is late, or not a set of 1 to 100 keys
 */
export async function fetchJwks (url: string, signal?: AbortSignal): Promise<JwksText & Answer> {
  const answer = await fetchJson(url, {
    headers: { Accept: 'application/jwk-set+json, application/json' }, ...(signal === undefined ? {} : { signal })
  })
  const { json } = answer
  if (!isKeySet(json)) throw new FetchError('no keys', 'the answer is not a key set')
  return { ...answer, jwks: json }
}

function isKeySet (value: unknown): value is JSONWebKeySet {
  return value instanceof Object && 'keys' in value && Array.isArray(value.keys) &&
    value.keys.length > 0 && value.keys.length <= MAX_KEYS && value.keys.every(key => key instanceof Object)
}
