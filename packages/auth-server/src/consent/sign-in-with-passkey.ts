import type { SignedForm, SignedResponses } from '../factors/signed-responses.js'
import type { LimitSignIn, SignInResult, Visitor } from '../sign-in/limit-sign-in.js'
import type { Users } from '../stores/users/users.js'

/**
 * Checks the signed response of a passkey, which names its user.
 * @param clientId the request's client, whose access epoch is read before the response is verified
 */
export type SignInWithPasskey = (form: SignedForm & { now: Date }, visitor: Visitor, clientId?: string) => Promise<SignInResult>

/** Makes the check. Unknown passkeys, those of disabled users, and wrong responses look and cost the same. */
export function createSignInWithPasskey (
  users: Pick<Users, 'find'>, responses: SignedResponses, limitSignIn: LimitSignIn
): SignInWithPasskey {
  return async ({ now, ...form }, visitor, clientId) => await limitSignIn({
    name: responses.idIn(form.response) ?? '',
    isAddress: false,
    async find () {
      const passkey = await responses.find(form.response)
      const user = await users.find({ id: passkey?.userId ?? '' }, clientId)
      return { user, check: async () => await responses.use(user?.disabledAt === null ? passkey : null, form, now) }
    }
  }, visitor)
}
