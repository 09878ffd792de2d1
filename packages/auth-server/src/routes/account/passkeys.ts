import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import type { FormToken } from '../../consent/form-token.js'
import { PASSKEY_AMR } from '../../factors/passkey.js'
import { makeRecoveryCodes } from '../../factors/recovery-code.js'
import { challengeOf, type RelyingParty } from '../../factors/relying-party.js'
import { after, FORM_TOKEN_TTL } from '../../lifetimes.js'
import { writeFactorMail, type FactorChange } from '../../mail/factor-mail.js'
import type { Notify } from '../../mail/notices.js'
import { passwordAnd } from '../../oauth/authentication.js'
import { errors } from '../../oauth/errors.js'
import { single } from '../../oauth/parameters.js'
import { credentialState } from '../../sign-in/password-link.js'
import type { SignIn } from '../../sign-in/sign-in.js'
import type { Session } from '../../stores/sessions/session-list.js'
import type { Stores } from '../../stores/stores.js'
import { FactorRequiredError } from '../../stores/users/factors.js'
import type { User } from '../../stores/users/users.js'
import { checkPassword } from '../attempt-sign-in.js'
import { pages } from '../responses.js'
import { onOwnPage, verifyPageToken } from '../visit.js'
import { ACCOUNT_FORM } from './account-page.js'
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
  ['passkey-removed', 'Passkey removed. Delete it from your password manager or security key, too.']
])

const NOT_ADDED = 'The passkey wasn\'t added: it is invalid, you have too many, or your password or access was just changed. Try again.'

/** `/account/passkeys`: lists, adds and removes passkeys. */
const passkeys: FastifyPluginAsyncTypebox<Options> = async function passkeys (fastify, { stores, signIn, formKeys, relyingParty, notify }) {
  const schema = { tags: ['Account page'], response: pages }
  const account = `${fastify.prefix}/account`
  const action = `${account}/passkeys`
  const { showPasskeys, showCreation, showRecoveryCodes } = createPasskeysPage({ action, stores, formKeys, relyingParty })

  const actions = new Map<string | undefined, (reply: FastifyReply, session: Session, page: FormToken) => Promise<FastifyReply>>([
    ['add', (reply, session) => withPassword(reply, session, create)],
    ['confirm', confirm],
    ['remove', (reply, session) => withPassword(reply, session, remove)]
  ])

  fastify.get('/account/passkeys', {
    schema: {
      ...schema,
      operationId: 'showPasskeys',
      summary: 'Show the user\'s passkeys',
      response: { 303: Type.Null({ description: 'No one is signed in. Redirects to the account page.' }), ...pages }
    }
  }, async (request, reply) => {
    const session = await request.session()
    if (session === null) return reply.redirect(account, 303)
    const text = DONE.get(reply.takeFlash() ?? '')
    return await showPasskeys(reply, session, text === undefined ? undefined : { text, isError: false })
  })

  fastify.post('/account/passkeys', {
    schema: {
      ...schema,
      operationId: 'changePasskeys',
      summary: 'Add or remove a passkey',
      consumes: ['application/x-www-form-urlencoded'],
      response: { 303: Type.Null({ description: 'Done. Redirects to the page.' }), ...pages }
    }
  }, async (request, reply) => {
    const { form } = request
    const session = await request.session()
    const act = onOwnPage(request, action, () => {
      const page = verifyPageToken(request, formKeys, ACCOUNT_FORM, single(form, 'transaction'))
      if (session === null || session.userId !== page.userId) {
        throw errors.foreignForm('another user has signed in since, or the session was revoked')
      }
      const found = actions.get(single(form, 'decision'))
      if (found === undefined) throw errors.invalidForm('no decision')
      return () => found(reply, session, page)
    })
    return await act()
  })

  async function withPassword (
    reply: FastifyReply, session: Session, change: (reply: FastifyReply, session: Session, user: User) => Promise<FastifyReply>
  ) {
    const result = await checkPassword({ signIn, reply }, { username: session.username, password: single(reply.request.form, 'password') })
    if (!('message' in result)) return await change(reply, session, result)
    const isWrong = result.statusCode === 403
    const text = isWrong ? 'Wrong password.' : result.message
    return await showPasskeys(reply.code(result.statusCode), session, { text, isError: true, isWrong })
  }

  async function create (reply: FastifyReply, session: Session, user: User) {
    return await showCreation(reply, user, nameIn(reply))
  }

  async function confirm (reply: FastifyReply, session: Session, { passed }: FormToken) {
    const { form } = reply.request
    const [user, now] = [await stores.users.find({ id: session.userId }), fastify.clock.now()]
    const challenge = challengeOf(single(form, 'transaction') ?? '')
    const verified = await relyingParty.verifyCreation(single(form, 'code') ?? '', challenge)
    if (user === null || passed?.state !== credentialState(user) || verified === null) return await refuse(reply, session, NOT_ADDED)
    const { codes, hashes } = makeRecoveryCodes()
    const enrolled = await stores.factors.passkeys.claim(challenge, after(now, FORM_TOKEN_TTL))
      ? await stores.factors.passkeys.enroll(user, { ...verified, name: nameIn(reply) }, hashes)
      : null
    if (enrolled === null) return await refuse(reply, session, NOT_ADDED)
    await tell(reply, user.id, 'passkey-added')
    // This browser has just used the passkey: others with only the password are asked for it.
    await reply.signIn(user, { authTime: session.authTime, amr: passwordAnd(PASSKEY_AMR) })
    return enrolled.areCodesNew ? await showRecoveryCodes(reply, session, codes) : show('passkey-added', reply)
  }

  async function remove (reply: FastifyReply, session: Session, user: User) {
    try {
      const removed = await stores.factors.removePasskey(user, single(reply.request.form, 'passkey') ?? '')
      if (!removed) return await refuse(reply, session, 'Nothing was removed: the passkey is already gone. Choose another one.')
    } catch (error) {
      if (!(error instanceof FactorRequiredError)) throw error
      return await refuse(reply, session, 'One of your roles requires two-step sign-in. Add another passkey or an authenticator app first.')
    }
    await tell(reply, user.id, 'passkey-removed')
    return show('passkey-removed', reply)
  }

  /** Records a change, and emails the user. */
  async function tell ({ request }: FastifyReply, userId: string, change: FactorChange) {
    request.audit({ event: 'factor', outcome: change, userId })
    await notify(userId, facts => writeFactorMail(change, facts))
  }

  async function refuse (reply: FastifyReply, session: Session, text: string) {
    return await showPasskeys(reply.code(409), session, { text, isError: true })
  }

  /** Redirects (post/redirect/get), so that a reload does not submit the form again. */
  function show (done: string, reply: FastifyReply) {
    reply.setFlash(done)
    return reply.header('cache-control', 'no-store').redirect(action, 303)
  }
}
export default passkeys

/** The name in a form, in one line; else a general one. */
function nameIn ({ request: { form } }: FastifyReply): string {
  const name = (single(form, 'name') ?? '').replace(/\p{C}/gu, '').trim()
  return [...name].slice(0, MAX_PASSKEY_NAME).join('') || 'Passkey'
}
