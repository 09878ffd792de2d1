import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import type { Config } from '../../config.js'
import type { FormKeys } from '../../consent/form-keys.js'
import type { MessageKey } from '../../languages/languages.js'
import { passwordChanged } from '../../mail/account-notices.js'
import type { Notify } from '../../mail/notices.js'
import { message } from '../../languages/translator.js'
import { single } from '../../oauth/parameters.js'
import { hashPassword } from '../../sign-in/password.js'
import { whyNotPassword } from '../../sign-in/password-rule.js'
import type { EmailVerification } from '../../sign-in/email-verification.js'
import type { Session } from '../../stores/sessions/session-list.js'
import type { FoundSession } from '../../stores/sessions/sessions.js'
import type { Stores } from '../../stores/stores.js'
import { pages } from '../responses.js'
import { createAccountForm, type AccountActions } from './account-form.js'
import { createAccountPage } from './account-page.js'
import { checkPassword } from '../sign-in/attempt-sign-in.js'
import type { MailedCodeSteps } from '../sign-in/mailed-code-steps.js'
import type { SignInSteps } from '../visit.js'
import { createBeginSession, formOf } from './begin-session.js'
import { createChangeDetails } from './change-details.js'
import { PASSKEY_SAVED, type createPasskeyUpgrade } from './passkey-upgrade.js'

interface Options {
  stores: Pick<Stores, 'authorizedApps' | 'factors' | 'profiles' | 'sessions' | 'upstreamIdentities' | 'users'>
  signInSteps: SignInSteps
  formKeys: FormKeys
  offerUpgrade: ReturnType<typeof createPasskeyUpgrade>
  config: Pick<Config, 'accessTokenTtl' | 'passwordMin' | 'upstream'>
  /** `undefined`: email is off. */
  verification: EmailVerification | undefined
  codeSteps: MailedCodeSteps
  notify: Notify
}

/** Results of forms, by flash message. */
const DONE: ReadonlyMap<string, MessageKey> = new Map([
  ['created', 'account.done.created'],
  ['created-elsewhere', 'account.done.created-elsewhere'],
  ['password', 'account.done.password'],
  ['set-up', 'account.done.set-up'],
  ['removed', 'account.done.removed'],
  ['ended', 'account.done.ended'],
  ['details', 'account.done.details'],
  ['details-mailed', 'account.done.details-mailed'],
  [PASSKEY_SAVED, 'account.done.passkey-saved'],
  ['mailed', 'account.done.mailed']
])

/** `GET /account` shows a user's details, authorized apps and sessions; `POST /account` changes them, or the password. */
const account: FastifyPluginAsyncTypebox<Options> = async function account (
  fastify, { stores, signInSteps, formKeys, offerUpgrade, config, verification, codeSteps, notify }
) {
  const { passwordMin } = config
  const schema = { tags: ['Account page'], response: pages }
  const changed = { 303: Type.Null({ description: 'Done. Redirects to the account page.' }), ...schema.response }
  const action = `${fastify.prefix}/account`
  const { showSignIn, showAccount } = createAccountPage({ action, stores, formKeys, config })
  const beginSession = createBeginSession({ action, signInSteps, formKeys, showSignIn, showAccount, offerUpgrade })

  const { show, submit, verifySignIn, redirect } = createAccountForm({
    ...signInSteps, action, account: action, formKeys, acceptsTrust: true, done: DONE, showPage: showAccount
  })

  const { changeDetails, mailCode, enterCode, sendLink } =
    createChangeDetails({ action, stores, verification, codeSteps, notify, showAccount, redirect })
  const actions: AccountActions = new Map([
    ['remove', remove],
    ['end', end],
    ['sign-out', signOut],
    ['switch', switchUser],
    ['everywhere', signOutEverywhere],
    ['details', changeDetails],
    ['mail-address-code', mailCode],
    ['enter-address-code', enterCode],
    ['verify', sendLink],
    ['password', changePassword]
  ])

  fastify.get('/account', {
    schema: { ...schema, operationId: 'showAccount', summary: 'Show the user\'s details, apps and sessions' }
  }, async (_, reply) => await show(reply, showSignIn))

  fastify.post('/account', {
    schema: {
      ...schema,
      operationId: 'changeAccount',
      summary: 'Change details, revoke access or sessions, sign out, or change the password',
      consumes: ['application/x-www-form-urlencoded'],
      response: changed
    }
  }, async (_, reply) => await submit(reply, actions, signInStep))

  async function signInStep (reply: FastifyReply, session: FoundSession | null) {
    if (single(reply.request.form, 'decision') !== 'sign-in') return await signInSteps.enrolling.answer(reply, formOf(action))
    const { userId, passed } = verifySignIn(reply.request)
    return await beginSession(reply, session !== null && session.userId === userId ? session : passed)
  }

  async function remove (reply: FastifyReply, session: Session) {
    const clientId = single(reply.request.form, 'client') ?? ''
    const removed = await stores.authorizedApps.remove(session.userId, clientId)
    if (removed !== null) {
      const details = { remembered: removed.remembered }
      reply.request.audit({ event: 'revocation', outcome: 'person', userId: session.userId, clientId, details })
    }
    return redirect(reply, 'removed')
  }

  async function end (reply: FastifyReply, session: Session) {
    if (await stores.sessions.end(session.userId, single(reply.request.form, 'session') ?? '')) {
      reply.request.audit({ event: 'sign-out', outcome: 'other session', userId: session.userId })
    }
    return redirect(reply, 'ended')
  }

  async function signOut (reply: FastifyReply, session: Session) {
    await reply.signOut()
    reply.request.audit({ event: 'sign-out', outcome: 'done', userId: session.userId })
    return await reply.page('signed-out', { title: message('sign-out.done') })
  }

  async function switchUser (reply: FastifyReply, session: Session) {
    await reply.signOut()
    reply.request.audit({ event: 'sign-out', outcome: 'done', userId: session.userId })
    return await showSignIn(reply)
  }

  async function signOutEverywhere (reply: FastifyReply, session: Session) {
    await stores.users.endAccess(session.userId)
    await reply.signOut()
    reply.request.audit({ event: 'sign-out', outcome: 'everywhere', userId: session.userId })
    return await reply.page('signed-out', { title: message('sign-out.done-everywhere'), everywhere: true })
  }

  async function changePassword (reply: FastifyReply, session: Session) {
    const password = single(reply.request.form, 'new_password') ?? ''
    const unfit = await whyNotPassword({ password, passwordMin }, await stores.profiles.find(session.userId) ?? session)
    if (unfit !== null) return await showAccount(reply.code(403), session, { text: unfit, isError: true, wrong: 'new_password' })
    const result = await checkPassword({ ...signInSteps, reply }, session.username)
    if ('message' in result) {
      const shown = result.statusCode === 403
        ? { text: message('account.password.wrong'), wrong: 'password' as const }
        : { text: result.message }
      return await showAccount(reply.code(result.statusCode), session, { ...shown, isError: true })
    }
    // Hashed outside the queue of password checks: the check above has limited the rate.
    const changed = await stores.users.changePassword(result, await hashPassword(password))
    if (changed === null) {
      return await showAccount(reply.code(409), session, { text: message('account.password.changed-elsewhere'), isError: true })
    }
    reply.request.audit({ event: 'password', outcome: 'changed', userId: session.userId })
    await notify(session.userId, passwordChanged)
    // The factor, if one was used, was not used again.
    await reply.signIn(changed, session)
    reply.seeBrowser(changed)
    return redirect(reply, 'password')
  }
}
export default account
