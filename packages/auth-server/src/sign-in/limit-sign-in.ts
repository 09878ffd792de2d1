import type { Throttles } from '../stores/operation/throttles.js'
import type { FoundUser } from '../stores/users/user-lookup.js'
import { accountKey, PER_ACCOUNT, PER_TYPED_ADDRESS, WINDOW_S } from './account-limit.js'
import { createCounters } from './counters.js'
import { createPerKeyLimit } from './queue.js'
import { sourcesOf } from './source.js'

/** Maximum failed attempts from a source on all accounts. Higher, since many users can share an address. */
const PER_SOURCE = [30, 60, 120].map(points => ({ name: 'source', points, duration: WINDOW_S }))

/** Concurrent attempts of a source. Attempts in progress count as failed. */
const MAX_CONCURRENT_PER_SOURCE = 4

/** Running and queued attempts of a source: enough for a school class behind one address. */
const MAX_QUEUED_PER_SOURCE = 64

/** The result of an attempt to sign in. */
export type SignInResult =
  /** `counted` resolves once earlier failures are reset, and this attempt is taken back. Await it before the response. */
  | { readonly outcome: 'signed in', readonly user: FoundUser, readonly counted: Promise<unknown> }
  /** `userId`: the account, if it exists. */
  | { readonly outcome: 'wrong', readonly userId: string | null }
  /** Not checked. `retryAfter` in seconds. */
  | { readonly outcome: 'throttled', readonly retryAfter: number }
  /** Not checked: the queue is full, or the caller has disconnected. */
  | { readonly outcome: 'busy' }

/** Who signs in. `isGone`: whether the caller has disconnected. */
export interface Visitor { readonly address: string, readonly isGone: () => boolean }

/** Priority of a check: see `createQueue`. `used`: the share of the source's limit that earlier attempts have used. */
interface Turn { readonly source: string, readonly used: number }

/** What a user signs in with. */
interface Credential {
  /** Counts as the account if there is none. */
  readonly name: string
  /** Whether it was typed, and can be an email address: it then counts for itself, too. See {@link PER_TYPED_ADDRESS}. */
  readonly isAddress: boolean
  /**
   * Finds the account, disabled or not, and what checks the credential: with the same work for every account, and for none. Returns
   * `undefined` if it did not check.
   */
  readonly find: () => Promise<{ readonly user: FoundUser | null, readonly check: (turn: Turn) => Promise<boolean | undefined> }>
}

/** Checks a credential unless too many attempts failed. Skips callers that have disconnected. */
export type LimitSignIn = (credential: Credential, visitor: Visitor) => Promise<SignInResult>

/** Makes the limit. Accounts are never locked: sources with too many failures are throttled. */
export function createLimitSignIn (throttles: Throttles): LimitSignIn {
  // A success counts as a failure until it is taken back. Until then it counts as running, so that the next one is not throttled.
  const bySource = createPerKeyLimit<SignInResult>(MAX_CONCURRENT_PER_SOURCE, MAX_QUEUED_PER_SOURCE, async result => {
    if ('counted' in result) await result.counted
  })
  const perAddress = PER_TYPED_ADDRESS.map(limit => throttles.under(limit))
  const perAccount = PER_ACCOUNT.map(limit => throttles.under(limit))
  const perSource = PER_SOURCE.map(limit => throttles.under(limit))

  return async (credential, { address, isGone }) => {
    const sources = sourcesOf(address)
    return await bySource(sources[0], async () => {
      return isGone() ? { outcome: 'busy' } : await attempt(credential, sources)
    }) ?? { outcome: 'busy' }
  }

  async function attempt ({ name, isAddress, find }: Credential, sources: readonly [string, ...string[]]): Promise<SignInResult> {
    const { user, check } = await find()
    // An address counts for its user: the user name and the address are not two accounts to guess at.
    const account = createCounters(perAccount, sources.map(source => accountKey(user?.username ?? name, source)))
    const address = createCounters(perAddress, isAddress ? sources.map(source => accountKey(name, source)) : [])
    const origin = createCounters(perSource, sources)
    // Counted before the check, so that concurrent attempts cannot exceed the limit.
    const [ofAccount, ofAddress, ofOrigin] = await Promise.all([account.count(), address.count(), origin.count()])
    const ofName = Math.max(ofAccount.retryAfter, ofAddress.retryAfter)
    // An attempt that is refused for the account does not count for the source.
    if (ofName > 0) await origin.takeBack()
    // What is refused for the source leaves no counters: it can be any number of names, or of passkeys.
    if (ofOrigin.retryAfter > 0) await Promise.all([account.forget(), address.forget()])
    const retryAfter = ofName || ofOrigin.retryAfter
    if (retryAfter > 0) return { outcome: 'throttled', retryAfter }

    const takeBack = async () => await Promise.all([account, address, origin].map(counters => counters.takeBack()))
    try {
      const isRight = await check({ source: sources[0], used: ofOrigin.used })
      if (isRight === undefined) {
        await takeBack()
        return { outcome: 'busy' }
      }
      if (!isRight || user === null) return { outcome: 'wrong', userId: user?.id ?? null }
      return { outcome: 'signed in', user, counted: Promise.all([account.reset(), address.reset(), origin.takeBack()]) }
    } catch (error) {
      // A failure of this server does not count as the user's.
      await takeBack()
      throw error
    }
  }
}
