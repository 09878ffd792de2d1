import type { Factor } from '../factors/factor.js'
import type { Factors } from '../factors/index.js'
import type { Parameters } from '../oauth/parameters.js'
import type { LimitCode } from '../sign-in/code-limit.js'
import { credentialState } from '../sign-in/password-link.js'
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

/** Makes the check. */
export function createUseFactor (users: Pick<Users, 'find'>, limitCode: LimitCode, factors: Pick<Factors, 'use'>): UseFactor {
  return async (first, form, { address, now }, clientId) => {
    const user = await users.find({ id: first.userId }, clientId)
    if (user?.disabledAt !== null || isStale(first, user)) return { outcome: 'ended' }
    if (form.code === undefined) return { outcome: 'wrong code', user }
    const result = await limitCode({ user, address }, async () => await factors.use(user.id, form, now))
    return result.outcome === 'right' ? { outcome: 'signed in', user, factor: result.value, counted: result.counted } : { ...result, user }
  }
}

function isStale (first: FirstStep, user: FoundUser): boolean {
  return 'state' in first ? first.state !== credentialState(user) : first.epoch !== user.grantEpoch
}
