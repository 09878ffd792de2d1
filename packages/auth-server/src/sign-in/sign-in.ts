import { resemblesEmail } from '../stores/users/user-columns.js'
import type { Users } from '../stores/users/users.js'
import type { LimitSignIn, SignInResult, Visitor } from './limit-sign-in.js'
import { CHECKS, CORES, MAX_PASSWORD_BYTES, verifyPassword } from './password.js'
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
 * the others go round-robin.
 */
export function createSignIn (users: Pick<Users, 'findForSignIn'>, limitSignIn: LimitSignIn): SignIn {
  const inTurn = createQueue(CHECKS, MAX_QUEUED_CHECKS)
  return async ({ username, password }, visitor, clientId) => await limitSignIn({
    name: username,
    isAddress: resemblesEmail(username),
    async find () {
      const user = await users.findForSignIn(username, clientId)
      const usable = user?.disabledAt === null && Buffer.byteLength(password) <= MAX_PASSWORD_BYTES
      return {
        user,
        check: async ({ source, used }) => await inTurn(source, used, async () => visitor.isGone()
          ? undefined
          : await verifyPassword(usable ? user.passwordHash : undefined, usable ? password : ''))
      }
    }
  }, visitor)
}
