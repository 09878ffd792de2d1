import type { FastifyReply } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import { MAX_PASSKEY_NAME, type PasskeyEnrollments } from '../../factors/passkey-enrollment.js'
import type { Proof, SetUpRule } from '../../factors/set-up-rule.js'
import { describeDevice, userAgentOf } from '../../input/user-agent.js'
import { message } from '../../languages/translator.js'
import { credentialState } from '../../sign-in/password-link.js'
import type { Session } from '../../stores/sessions/session-list.js'
import type { Stores } from '../../stores/stores.js'
import { MAX_PASSKEYS } from '../../stores/users/passkeys.js'
import type { User } from '../../stores/users/users.js'
import { pageScript } from '../page-script.js'
import { showPasskeyCreation } from '../sign-in/passkey-creation.js'
import { issuePageToken } from '../visit.js'
import type { Result } from './account-form.js'
import { ACCOUNT_FORM } from './account-page.js'

interface Options {
  action: string
  stores: Pick<Stores, 'factors'>
  formKeys: FormKeys
  passkeyEnrollments: PasskeyEnrollments
  rule: Pick<SetUpRule, 'begin'>
}

/** The pages of passkeys. */
export function createPasskeysPage ({ action, stores: { factors: { passkeys } }, formKeys, passkeyEnrollments, rule }: Options) {
  return {
    async showPasskeys (reply: FastifyReply, { userId, username, amr }: Session, result?: Result) {
      const [listed, begun] = await Promise.all([passkeys.list(userId), rule.begin(userId, amr)])
      return await reply.page('passkeys', {
        title: message('passkeys.title'),
        action,
        username,
        message: result,
        transaction: issuePageToken(reply, formKeys, ACCOUNT_FORM, { userId }),
        passkeys: listed.map(({ id, name, createdAt, lastUsedAt }) => ({ id, name, added: createdAt, lastUsed: lastUsedAt })),
        needs: begun,
        max: MAX_PASSKEYS,
        maxName: MAX_PASSKEY_NAME,
        device: describeDevice(userAgentOf(reply.request))
      }, { script: pageScript })
    },
    /** Shows the page that creates the passkey, after the password. Its form token says that the password was right, and has the proof. */
    async showCreation (reply: FastifyReply, user: User, name: string, proof: Proof) {
      const passed = { userId: user.id, state: credentialState(user) }
      const form = { action, query: ACCOUNT_FORM, decision: 'confirm' }
      return await showPasskeyCreation(reply, { formKeys, passkeyEnrollments, form, state: { userId: user.id, passed, proof }, user, name })
    },
    /** Shows new recovery codes, once. */
    async showRecoveryCodes (reply: FastifyReply, { userId, username }: Session, codes: readonly string[]) {
      const transaction = issuePageToken(reply, formKeys, ACCOUNT_FORM, { userId })
      return await reply.page('recovery-codes', {
        title: message('recovery.title'), action, username, transaction, codes, isFirst: true
      }, { script: pageScript })
    }
  }
}
