import type { FastifyReply } from 'fastify'
import type { Config } from '../../config.js'
import type { FormKeys } from '../../consent/form-keys.js'
import type { SignInFailure } from '../../consent/visit.js'
import { FEW_CODES } from '../../factors/recovery-code.js'
import { challengeOf } from '../../factors/relying-party.js'
import { describeDevice } from '../../input/user-agent.js'
import { message, type Message } from '../../languages/translator.js'
import type { Session } from '../../stores/sessions/session-list.js'
import type { Stores } from '../../stores/stores.js'
import type { EnrolledFactors } from '../../stores/users/factors.js'
import { pageScript, signInScript, upgradeScript } from '../page-script.js'
import { isOwn } from '../../oauth/identity.js'
import { issuePageToken } from '../visit.js'
import { describeApp, describeScope } from '../authorize/describe-consent.js'
import { presentDetails, type RefusedDetails } from './details.js'

/** The result of a form. */
interface Result {
  text: Message
  isError: boolean
  /** Name of the invalid field. */
  wrong?: 'password' | 'new_password'
  /** The refused details form. */
  details?: RefusedDetails
}

interface Options {
  action: string
  stores: Pick<Stores, 'authorizedApps' | 'factors' | 'profiles' | 'sessions' | 'upstreamIdentities'>
  formKeys: FormKeys
  config: Pick<Config, 'accessTokenTtl' | 'passwordMin' | 'upstream'>
}

/** Binds form tokens to this page, since its forms belong to no authorization request. */
export const ACCOUNT_FORM = '/account'

export function createAccountPage ({ action, stores, formKeys, config: { accessTokenTtl, passwordMin, upstream } }: Options) {
  return {
    async showSignIn (reply: FastifyReply, failure?: SignInFailure) {
      const transaction = issuePageToken(reply, formKeys, ACCOUNT_FORM)
      const challenge = challengeOf(transaction)
      const content = { title: message('account.sign-in'), action, transaction, challenge, failure, offersUpstream: true }
      return await reply.code(failure?.statusCode ?? 200).page('account-sign-in', content, { script: signInScript })
    },
    /** @param upgrade the form that adds a passkey right after a sign-in */
    async showAccount (reply: FastifyReply, session: Session, result?: Result, upgrade?: object) {
      const now = reply.server.clock.now()
      const transaction = issuePageToken(reply, formKeys, ACCOUNT_FORM, { userId: session.userId })
      const [{ authorizedApps, more }, { sessions, more: moreSessions }, profile, factors, identity] = await Promise.all([
        stores.authorizedApps.of(session.userId, now, accessTokenTtl),
        stores.sessions.list(session.userId, now),
        stores.profiles.find(session.userId),
        stores.factors.find(session.userId),
        upstream && stores.upstreamIdentities.find(session.userId)
      ])
      return await reply.page('account', {
        title: message('account.title'),
        action,
        username: session.username,
        transaction,
        message: result,
        wrong: result?.wrong,
        passwordMin,
        details: presentDetails(profile, result?.details),
        authorizedApps: authorizedApps.map(({ client, scope, since, lastUsed, endsAt, isRemembered }) => ({
          clientId: client.id,
          ...describeApp(client),
          isRemembered,
          isOwn: isOwn(client),
          permissions: describeScope(scope),
          since,
          lastUsed,
          endsAt
        })),
        moreAuthorizedApps: more,
        sessions: sessions.map(({ id, authTime, lastSeen, userAgent }) => ({
          id, isCurrent: id === session.id, device: describeDevice(userAgent), signedIn: authTime, lastSeen
        })),
        moreSessions,
        factors: showFactors(factors),
        isConnected: identity !== undefined && identity !== null,
        upgrade
      }, { script: upgrade === undefined ? pageScript : upgradeScript })
    }
  }
}

/** The factors of a user, for pages; `undefined`: two-step sign-in is off. */
export function showFactors ({ authenticator, passkeys, recoveryCodes }: EnrolledFactors) {
  if (authenticator === null && passkeys.length === 0) return undefined
  const app = authenticator && { added: authenticator.createdAt, lastUsed: authenticator.lastUsedAt }
  const means = app === null ? 'passkey' : passkeys.length === 0 ? 'app' : 'both'
  return { app, passkeys: passkeys.length, means, recoveryCodes, areFew: recoveryCodes <= FEW_CODES }
}
