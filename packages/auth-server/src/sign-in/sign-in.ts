import { resemblesEmail } from '../stores/users/user-columns.js'
import type { FoundUser } from '../stores/users/user-lookup.js'
import type { Users } from '../stores/users/users.js'
import { createEvenTime } from './even-time.js'
import type { LimitSignIn, SignInResult, Visitor } from './limit-sign-in.js'
import { CHECKS, CORES, hashPassword, MAX_PASSWORD_BYTES, verifyPassword } from './password.js'
import { createQueue } from './queue.js'

/** Running and queued password checks: the last one waits one or two seconds. */
const MAX_QUEUED_CHECKS = 128 * CORES

/**
 * Checks a password, with a user name or a verified email address.
 * @param clientId the request's client, whose access epoch is read before the password is verified
 */
export type SignIn = (
  credentials: { username: string, password: string }, visitor: Visitor, clientId?: string
) => Promise<SignInResult>

/**
 * Makes the check. Unknown, disabled and wrong attempts look and cost the same. Under load, sources without recent failures go first, and
 * the others go round-robin. A right password replaces its imported hash.
 */
export function createSignIn (
  users: Pick<Users, 'findForSignIn' | 'findSlowestHash' | 'replaceHash'>, limitSignIn: LimitSignIn,
  waitForInterval = createEvenTime(users)
): SignIn {
  const inTurn = createQueue(CHECKS, MAX_QUEUED_CHECKS)

  return async ({ username, password }, visitor, clientId) => {
    const result = await limitSignIn({
      name: username,
      isAddress: resemblesEmail(username),
      async find () {
        const user = await users.findForSignIn(username, clientId)
        const usable = user?.disabledAt === null && Buffer.byteLength(password) <= MAX_PASSWORD_BYTES
        return {
          user,
          async check ({ source, used }) {
            let startedAt = 0
            const isRight = await inTurn(source, used, async () => {
              if (visitor.isGone()) return undefined
              startedAt = performance.now()
              return await verifyPassword(usable ? user.passwordHash : undefined, usable ? password : '')
            })
            // Outside the queue: it computes nothing.
            if (isRight === false) await waitForInterval(startedAt)
            return isRight
          }
        }
      }
    }, visitor)
    if (result.outcome !== 'signed in' || result.user.foreignCost === null) return result
    const user = await inTurn(visitor.address, 0, async () => await replaceHash(result.user, password, clientId))
    return { ...result, user: user ?? result.user }
  }

  /** Replaces the imported hash of a verified password. Returns the user with the current hash of this password, if it has one. */
  async function replaceHash (user: FoundUser, password: string, clientId: string | undefined): Promise<FoundUser> {
    const passwordHash = await hashPassword(password)
    if (await users.replaceHash(user, passwordHash)) return { ...user, passwordHash, foreignCost: null }
    // A concurrent sign-in has replaced it, or the password was changed: then the session does not start.
    const after = await users.findForSignIn(user.username, clientId)
    const isSame = after?.id === user.id && await verifyPassword(after.passwordHash, password)
    return isSame ? { ...user, passwordHash: after.passwordHash, foreignCost: after.foreignCost } : user
  }
}
