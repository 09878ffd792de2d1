import type { AccessToken } from '@frontdesk/schemas/access-token'
import { setTimeout } from 'node:timers/promises'
import { AskError, failureOf, type FailureCode } from '../diagnosis/generated/failure.js'
import { revocationsUnavailable, tokenInvalid } from '../problems/access.js'
import { revocationsFetched } from '../telemetry/events.js'
import { fetchRevocations } from './fetch-revocations.js'

/** How the list is kept up to date. */
export interface RevocationsOptions {
  url: string
  /** How old the last answer may be before tokens are refused, in seconds. */
  maxAge: number
  log: { info (details: object, message: string): void, warn (details: object, message: string): void }
  fetch?: typeof fetchRevocations
  /** Milliseconds since 1970. */
  now?: () => number
}

/** Between fetches, in milliseconds: no later does access end after it was taken back. */
const INTERVAL = 4_000
/** Before the first attempt after one that failed; twice as long before each further one. */
const FIRST_RETRY = 250

/**
 * What the authorization server has revoked, pulled in the background: a request asks nobody. While the authorization
 * server is away, what is known is used for `maxAge` seconds; after that nothing is let through.
 */
export class Revocations {
  readonly #options: Required<RevocationsOptions>
  readonly #stop = new AbortController()
  /** Id → when the last of its tokens has ended, in seconds since 1970. */
  readonly #revoked = new Map<string, number>()
  #next = ''
  #fetchedAt: number | undefined
  #failure: FailureCode | undefined

  constructor ({ fetch = fetchRevocations, now = Date.now, ...options }: RevocationsOptions) {
    this.#options = { ...options, fetch, now }
  }

  /** Whether what is known is young enough to rely on. */
  get areKnown () {
    return this.#fetchedAt !== undefined && this.#options.now() - this.#fetchedAt < this.#options.maxAge * 1_000
  }

  /** What came of the fetches: seconds since one went well, and why the last one failed, if so. */
  get fetches (): { ageSeconds?: number, failure?: FailureCode } {
    return {
      ...(this.#fetchedAt === undefined ? {} : { ageSeconds: Math.max(0, Math.floor((this.#options.now() - this.#fetchedAt) / 1_000)) }),
      ...(this.#failure === undefined ? {} : { failure: this.#failure })
    }
  }

  /** @throws ProblemError `token-invalid` if the token or its grant is revoked, `revocations-unavailable` if that is not known */
  check ({ jti, grant_id: grant }: AccessToken): void {
    if (!this.areKnown) throw revocationsUnavailable('It is not known which access tokens were revoked. Try again in a moment.')
    if (this.#revoked.has(jti) || (grant !== undefined && this.#revoked.has(grant))) throw tokenInvalid('Access was taken back. Sign in again.', { reason: 'revoked' })
  }

  /** Begins to fetch; resolves after the first attempt. Goes on until {@link stop}. */
  async start (): Promise<void> {
    await this.#refresh()
    this.#goOn().catch(() => {})
  }

  /** Ends all fetching. */
  stop () {
    this.#stop.abort()
  }

  async #goOn () {
    for (let retry = FIRST_RETRY; ; retry = this.#failure === undefined ? FIRST_RETRY : Math.min(retry * 2, INTERVAL)) {
      await setTimeout(this.#failure === undefined ? INTERVAL : retry, undefined, { ref: false, signal: this.#stop.signal })
      await this.#refresh()
    }
  }

  async #refresh () {
    const { url, log, fetch, now } = this.#options
    try {
      for (let more = true; more;) {
        const list = await fetch(url, this.#next, this.#stop.signal)
        for (const { id, ends } of list.revoked) this.#revoked.set(id, ends)
        if (list.more && list.next === this.#next) throw new AskError('no revocations', 'the list of revocations does not go on')
        this.#next = list.next
        more = list.more
      }
      const ended = now() / 1_000
      for (const [id, ends] of this.#revoked) if (ends <= ended) this.#revoked.delete(id)
      if (this.#failure !== undefined || this.#fetchedAt === undefined) log.info({ url }, 'revocations of the authorization server fetched')
      this.#fetchedAt = now()
      this.#failure = undefined
      revocationsFetched.tell({ outcome: 'ok' })
    } catch (err) {
      // Once until it works again: the server may be away for long.
      if (this.#failure === undefined && !this.#stop.signal.aborted) log.warn({ url, err }, 'revocations of the authorization server cannot be fetched; trying again')
      this.#failure = failureOf(err)
      revocationsFetched.tell({ outcome: this.#failure })
    }
  }
}
