import type { FastifyReply } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import type { PasskeyEnrollments } from '../../factors/passkey-enrollment.js'
import { describeDevice, userAgentOf } from '../../input/user-agent.js'
import { isPasswordAndFactor } from '../../oauth/authentication.js'
import { credentialState } from '../../sign-in/password-link.js'
import { MAX_PASSKEYS, type Passkeys } from '../../stores/users/passkeys.js'
import type { User } from '../../stores/users/users.js'
import { issuePageToken } from '../visit.js'
import { ACCOUNT_FORM } from './account-page.js'

interface Options {
  readonly passkeys: Pick<Passkeys, 'list'>
  readonly formKeys: FormKeys
  readonly passkeyEnrollments: PasskeyEnrollments
}

/** Flash message of the account page. */
export const PASSKEY_SAVED = 'passkey-saved'

/** A sign-in that has just happened. */
interface SignedIn { readonly user: User, readonly amr: string }

/** Makes the form by which browsers can add a passkey without asking, right after a sign-in (WebAuthn Level 3, conditional create). */
export function createPasskeyUpgrade ({ passkeys, formKeys, passkeyEnrollments }: Options) {
  /** `undefined`: the password or the second factor was not used, so that someone who only knows the password cannot add one. */
  return async function offerUpgrade (reply: FastifyReply, { user, amr }: SignedIn) {
    const listed = isPasswordAndFactor(amr) ? await passkeys.list(user.id) : undefined
    if (listed === undefined || listed.length === MAX_PASSKEYS) return undefined
    const passed = { userId: user.id, state: credentialState(user) }
    const state = { userId: user.id, passed, proof: { by: 'factor' }, isUpgrade: true } as const
    const transaction = issuePageToken(reply, formKeys, ACCOUNT_FORM, state)
    const options = await passkeyEnrollments.begin(transaction, user, true)
    const t = await reply.translator()
    return { transaction, name: t.text(describeDevice(userAgentOf(reply.request))), options: JSON.stringify(options) }
  }
}
