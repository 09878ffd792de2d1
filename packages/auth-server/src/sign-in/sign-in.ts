import type { Throttles } from '../stores/operation/throttles.js'
import type { Users } from '../stores/users/users.js'
import type { FoundUser } from '../stores/users/user-lookup.js'
import { accountKey, PER_ACCOUNT, PER_TYPED_NAME, WINDOW_S } from './account-limit.js'
import { createCounters } from './counters.js'
import { CHECKS, CORES, MAX_PASSWORD_BYTES, verifyPassword } from './password.js'
import { createQueue, createPerKeyLimit } from './queue.js'
import { sourcesOf } from './source.js'

/** Maximum failed attempts from a source on all accounts. Higher, since many users can share an address. */
const PER_SOURCE = [30, 60, 120].map(points => ({ name: 'source', points, duration: WINDOW_S }))

/** Concurrent attempts of a source. Attempts in progress count as failed. */
const MAX_CONCURRENT_PER_SOURCE = 4

/** Running and queued attempts of a source: enough for a school class behind one address. */
const MAX_QUEUED_PER_SOURCE = 64

/** Running and queued password checks: the last one waits one or two seconds. */
const MAX_QUEUED_CHECKS = 128 * CORES

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

/**
 * Checks a password, with a user name or a verified email address. Skips callers that have disconnected (`isGone`).
 * @param clientId the request's client, whose access epoch is read before the password is verified
 */
export type SignIn = (
  credentials: { username: string, password: string },
  visitor: { address: string, isGone: () => boolean },
  clientId?: string
) => Promise<SignInResult>

/**
 * Makes the check. Unknown, disabled and wrong attempts look and cost the same. Accounts are never locked: sources with too
 * many failures are throttled. Under load, sources without recent failures go first, and the others go round-robin.
 */
export function createSignIn (users: Users, throttles: Throttles): SignIn {
  // A success counts as a failure until it is taken back. Until then it counts as running, so that the next one is not throttled.
  const bySource = createPerKeyLimit<SignInResult>(MAX_CONCURRENT_PER_SOURCE, MAX_QUEUED_PER_SOURCE, async result => {
    if ('counted' in result) await result.counted
  })
  const inTurn = createQueue(CHECKS, MAX_QUEUED_CHECKS)
  const perTypedName = PER_TYPED_NAME.map(limit => throttles.under(limit))
  const perAccount = PER_ACCOUNT.map(limit => throttles.under(limit))
  const perSource = PER_SOURCE.map(limit => throttles.under(limit))

  return async (credentials, { address, isGone }, clientId) => {
    const sources = sourcesOf(address)
    return await bySource(sources[0], async () => {
      return isGone() ? { outcome: 'busy' } : await attempt(credentials, sources, isGone, clientId)
    }) ?? { outcome: 'busy' }
  }

  async function attempt (
    { username, password }: { username: string, password: string },
    sources: readonly [string, ...string[]],
    isGone: () => boolean,
    clientId: string | undefined
  ): Promise<SignInResult> {
    const user = await users.findForSignIn(username, clientId)
    // An address counts for its user: the user name and the address are not two accounts to guess at.
    const account = createCounters(perAccount, sources.map(source => accountKey(user?.username ?? username, source)))
    const typed = createCounters(perTypedName, sources.map(source => accountKey(username, source)))
    const origin = createCounters(perSource, sources)
    // Counted before the check, so that concurrent attempts cannot exceed the limit.
    const [ofAccount, ofTyped, ofOrigin] = await Promise.all([account.count(), typed.count(), origin.count()])
    const ofName = Math.max(ofAccount.retryAfter, ofTyped.retryAfter)
    // An attempt that is refused for the account does not count for the source.
    if (ofName > 0) await origin.takeBack()
    const retryAfter = ofName || ofOrigin.retryAfter
    if (retryAfter > 0) return { outcome: 'throttled', retryAfter }

    const takeBack = async () => await Promise.all([account, typed, origin].map(counters => counters.takeBack()))
    try {
      const usable = user?.disabledAt === null && Buffer.byteLength(password) <= MAX_PASSWORD_BYTES
      const matches = await inTurn(sources[0], ofOrigin.used, async () => {
        return isGone() ? undefined : await verifyPassword(usable ? user.passwordHash : undefined, usable ? password : '')
      })
      if (matches === undefined) {
        await takeBack()
        return { outcome: 'busy' }
      }
      if (!matches || user === null) return { outcome: 'wrong', userId: user?.id ?? null }
      return { outcome: 'signed in', user, counted: Promise.all([account.reset(), typed.reset(), origin.takeBack()]) }
    } catch (error) {
      // A failure of this server does not count as the user's.
      await takeBack()
      throw error
    }
  }
}
