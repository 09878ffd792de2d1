import type { FastifyReply } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import { challengeOf, type RelyingParty } from '../../factors/relying-party.js'
import { userAgentOf } from '../../input/user-agent.js'
import { credentialState } from '../../sign-in/password-link.js'
import type { Session } from '../../stores/sessions/session-list.js'
import type { Stores } from '../../stores/stores.js'
import { MAX_PASSKEYS } from '../../stores/users/passkeys.js'
import type { User } from '../../stores/users/users.js'
import { pageScript, passkeyScript } from '../page-script.js'
import { issuePageToken } from '../visit.js'
import type { Message } from './account-form.js'
import { ACCOUNT_FORM, describeDevice, showTime } from './account-page.js'

interface Options { action: string, stores: Pick<Stores, 'factors'>, formKeys: FormKeys, relyingParty: RelyingParty }

/** Longest name of a passkey, in characters. */
export const MAX_PASSKEY_NAME = 64

/** The pages of passkeys. */
export function createPasskeysPage ({ action, stores: { factors: { passkeys } }, formKeys, relyingParty }: Options) {
  return {
    async showPasskeys (reply: FastifyReply, { userId, username }: Session, message?: Message) {
      const listed = await passkeys.list(userId)
      return await reply.page('passkeys', {
        title: 'Passkeys',
        action,
        username,
        message,
        transaction: issuePageToken(reply, formKeys, ACCOUNT_FORM, { userId }),
        passkeys: listed.map(({ id, name, createdAt, lastUsedAt }) => ({
          id, name, added: showTime(createdAt), lastUsed: lastUsedAt && showTime(lastUsedAt)
        })),
        max: MAX_PASSKEYS,
        maxName: MAX_PASSKEY_NAME,
        device: describeDevice(userAgentOf(reply.request))
      }, { script: pageScript })
    },
    /** Shows the page that creates the passkey, after the password. Its form token says that the password was right. */
    async showCreation (reply: FastifyReply, user: User, name: string) {
      const passed = { userId: user.id, state: credentialState(user) }
      const transaction = issuePageToken(reply, formKeys, ACCOUNT_FORM, { userId: user.id, passed, isProven: true })
      const options = relyingParty.creationOptions(challengeOf(transaction), user, await passkeys.list(user.id))
      return await reply.page('passkey-creation', {
        title: 'Create your passkey', action, transaction, name, options: JSON.stringify(options)
      }, { script: passkeyScript })
    },
    /** Shows new recovery codes, once. */
    async showRecoveryCodes (reply: FastifyReply, { userId, username }: Session, codes: readonly string[]) {
      const transaction = issuePageToken(reply, formKeys, ACCOUNT_FORM, { userId })
      return await reply.page('recovery-codes', {
        title: 'Save your recovery codes', action, username, transaction, codes, isFirst: true
      }, { script: pageScript })
    }
  }
}
