import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import type { FormToken } from '../../consent/form-token.js'
import { PASSKEY_AMR } from '../../factors/passkey.js'
import { makeRecoveryCodes } from '../../factors/recovery-code.js'
import { challengeOf, type RelyingParty } from '../../factors/relying-party.js'
import { after, FORM_TOKEN_TTL } from '../../lifetimes.js'
import type { Notify } from '../../mail/notices.js'
import { passwordAnd } from '../../oauth/authentication.js'
import { single } from '../../oauth/parameters.js'
import { credentialState } from '../../sign-in/password-link.js'
import type { SignIn } from '../../sign-in/sign-in.js'
import type { Session } from '../../stores/sessions/session-list.js'
import type { Stores } from '../../stores/stores.js'
import { FactorRequiredError } from '../../stores/users/factors.js'
import type { User } from '../../stores/users/users.js'
import { recordFactorChange } from '../record-factor-change.js'
import { pages } from '../responses.js'
import { createAccountForm, type AccountActions } from './account-form.js'
import { PASSKEY_SAVED } from './passkey-upgrade.js'
import { createPasskeysPage, MAX_PASSKEY_NAME } from './passkeys-page.js'

interface Options {
  stores: Pick<Stores, 'factors' | 'users'>
  signIn: SignIn
  formKeys: FormKeys
  relyingParty: RelyingParty
  notify: Notify
}

/** Results of forms, by flash message. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['passkey-added', 'Passkey added.'],
  ['passkey-renamed', 'Passkey renamed.'],
  ['passkey-removed', 'Passkey removed. Delete it from your password manager or security key, too.']
])

const NOT_ADDED = 'The passkey wasn\'t added: it is invalid, you have too many, or your password or access was just changed. Try again.'

/** `/account/passkeys`: lists, adds, renames and removes passkeys. */
const passkeys: FastifyPluginAsyncTypebox<Options> = async function passkeys (fastify, { stores, signIn, formKeys, relyingParty, notify }) {
  const schema = { tags: ['Account page'], response: pages }
  const account = `${fastify.prefix}/account`
  const action = `${account}/passkeys`
  const { showPasskeys, showCreation, showRecoveryCodes } = createPasskeysPage({ action, stores, formKeys, relyingParty })

  const { show, submit, withPassword, refuse, redirect } = createAccountForm({
    action, account, signIn, formKeys, acceptsTrust: false, done: DONE, showPage: showPasskeys
  })

  const actions: AccountActions = new Map([
    ['add', withPassword(create)],
    ['confirm', confirm],
    ['rename', rename],
    ['remove', withPassword(remove)]
  ])

  fastify.get('/account/passkeys', {
    schema: {
      ...schema,
      operationId: 'showPasskeys',
      summary: 'Show the user\'s passkeys',
      response: { 303: Type.Null({ description: 'No one is signed in. Redirects to the account page.' }), ...pages }
    }
  }, async (_, reply) => await show(reply))

  fastify.post('/account/passkeys', {
    schema: {
      ...schema,
      operationId: 'changePasskeys',
      summary: 'Add, rename or remove a passkey',
      consumes: ['application/x-www-form-urlencoded'],
      response: { 303: Type.Null({ description: 'Done. Redirects to the page.' }), ...pages }
    }
  }, async (_, reply) => await submit(reply, actions))

  async function create (reply: FastifyReply, session: Session, user: User) {
    return await showCreation(reply, user, nameIn(reply))
  }

  async function confirm (reply: FastifyReply, session: Session, { passed, isProven, isUpgrade }: FormToken) {
    const { form } = reply.request
    const [user, now] = [await stores.users.find({ id: session.userId }), fastify.clock.now()]
    const challenge = challengeOf(single(form, 'transaction') ?? '')
    const verified = await relyingParty.verifyCreation(single(form, 'code') ?? '', challenge, isUpgrade)
    const isPermitted = user !== null && isProven && passed?.state === credentialState(user)
    if (!isPermitted || verified === null) return await refuse(reply, session, NOT_ADDED)
    const { codes, hashes } = makeRecoveryCodes()
    const enrolled = await stores.factors.passkeys.claim(challenge, after(now, FORM_TOKEN_TTL))
      ? await stores.factors.passkeys.enroll(user, { ...verified, name: nameIn(reply) }, hashes)
      : null
    if (enrolled === null) return await refuse(reply, session, NOT_ADDED)
    await recordFactorChange(reply, notify, { userId: user.id, change: 'passkey-added', factor: { kind: 'passkey', id: verified.id } })
    // This browser has just used the passkey: others with only the password are asked for it. An upgrade has not verified the user.
    if (!isUpgrade) await reply.signIn(user, { authTime: session.authTime, amr: passwordAnd(PASSKEY_AMR) })
    if (enrolled.areCodesNew) return await showRecoveryCodes(reply, session, codes)
    if (!isUpgrade) return redirect(reply, 'passkey-added')
    reply.setFlash(PASSKEY_SAVED)
    return reply.header('cache-control', 'no-store').redirect(account, 303)
  }

  async function rename (reply: FastifyReply, session: Session) {
    const { form } = reply.request
    const { userId } = session
    if (!await stores.factors.passkeys.rename(userId, single(form, 'passkey') ?? '', nameIn(reply))) {
      return await refuse(reply, session, 'Nothing was renamed: the passkey is already gone.')
    }
    reply.request.audit({ event: 'factor', outcome: 'passkey-renamed', userId })
    return redirect(reply, 'passkey-renamed')
  }

  async function remove (reply: FastifyReply, session: Session, user: User) {
    try {
      const removed = await stores.factors.removePasskey(user, single(reply.request.form, 'passkey') ?? '')
      if (!removed) return await refuse(reply, session, 'Nothing was removed: the passkey is already gone. Choose another one.')
    } catch (error) {
      if (!(error instanceof FactorRequiredError)) throw error
      return await refuse(reply, session, 'One of your roles requires two-step sign-in. Add another passkey or an authenticator app first.')
    }
    await recordFactorChange(reply, notify, { userId: user.id, change: 'passkey-removed' })
    return redirect(reply, 'passkey-removed')
  }
}
export default passkeys

/** The name in a form, in one line; else a general one. */
function nameIn ({ request: { form } }: FastifyReply): string {
  const name = (single(form, 'name') ?? '').replace(/\p{C}/gu, '').trim()
  return [...name].slice(0, MAX_PASSKEY_NAME).join('') || 'Passkey'
}
