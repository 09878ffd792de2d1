import type { Factor } from '../factors/factor.js'
import type { Factors } from '../factors/index.js'
import type { Parameters } from '../oauth/parameters.js'
import { accountKey, CODES_PER_ACCOUNT, CODES_PER_SOURCE } from '../sign-in/account-limit.js'
import { createCounters } from '../sign-in/counters.js'
import { credentialState } from '../sign-in/password-link.js'
import { sourcesOf } from '../sign-in/source.js'
import type { Throttles } from '../stores/operation/throttles.js'
import type { FoundSession } from '../stores/sessions/sessions.js'
import type { FoundUser } from '../stores/users/user-lookup.js'
import type { Users } from '../stores/users/users.js'
import type { PassedPassword } from './form-token.js'

/** What precedes the factor: the password of this sign-in, or a session. */
type FirstStep = PassedPassword | Pick<FoundSession, 'userId' | 'epoch'>

/** The result of an attempt to use a factor. */
type FactorResult =
  /** `counted` resolves once earlier failures are reset. Await it before the response. */
  | { readonly outcome: 'signed in', readonly user: FoundUser, readonly factor: Factor, readonly counted: Promise<unknown> }
  | { readonly outcome: 'wrong code', readonly user: FoundUser }
  /** Not checked. `retryAfter` in seconds. */
  | { readonly outcome: 'throttled', readonly user: FoundUser, readonly retryAfter: number }
  /** The password was changed or access revoked since, or the user is disabled or removed. */
  | { readonly outcome: 'ended' }

interface Visitor { readonly address: string, readonly now: Date }

/** Checks the code of a form. @param clientId the request's client, whose access epoch is read */
export type UseFactor = (first: FirstStep, form: Parameters, visitor: Visitor, clientId?: string) => Promise<FactorResult>

/** Makes the check. Wrong codes count for the account and source, and for the account alone: codes are short, and sources are cheap. */
export function createUseFactor (users: Pick<Users, 'find'>, throttles: Throttles, factors: Pick<Factors, 'use'>): UseFactor {
  const perSource = CODES_PER_SOURCE.map(limit => throttles.under(limit))
  const perAccount = [throttles.under(CODES_PER_ACCOUNT)]

  return async (first, form, { address, now }, clientId) => {
    const user = await users.find({ id: first.userId }, clientId)
    if (user?.disabledAt !== null || isStale(first, user)) return { outcome: 'ended' }
    if (form.code === undefined) return { outcome: 'wrong code', user }
    const ofSource = createCounters(perSource, sourcesOf(address).map(source => accountKey(user.username, source)))
    const ofAccount = createCounters(perAccount, [accountKey(user.username, 'all')])
    // Counted before the check, so that concurrent attempts cannot exceed the limits.
    const bySource = await ofSource.count()
    const retryAfter = bySource.retryAfter || (await ofAccount.count()).retryAfter
    if (retryAfter > 0) return { outcome: 'throttled', user, retryAfter }
    try {
      const factor = await factors.use(user.id, form, now)
      if (factor === null) return { outcome: 'wrong code', user }
      return { outcome: 'signed in', user, factor, counted: Promise.all([ofSource.reset(), ofAccount.reset()]) }
    } catch (error) {
      // A failure of this server does not count as the user's.
      await Promise.all([ofSource.takeBack(), ofAccount.takeBack()])
      throw error
    }
  }
}

function isStale (first: FirstStep, user: FoundUser): boolean {
  return 'state' in first ? first.state !== credentialState(user) : first.epoch !== user.grantEpoch
}
