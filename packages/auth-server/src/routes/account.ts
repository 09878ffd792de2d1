import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FormKeys } from '../consent/form-keys.js'
import { issueTransaction, verifyTransaction } from '../consent/transaction.js'
import { oauthError } from '../oauth/errors.js'
import { single, type Parameters } from '../oauth/parameters.js'
import { hashPassword, refusePassword } from '../sign-in/password.js'
import type { SignIn } from '../sign-in/sign-in.js'
import type { Session } from '../stores/sessions.js'
import type { Stores } from '../stores/stores.js'
import { page, pageOrProblem } from './answers.js'
import { attemptSignIn, checkPassword, type Refusal } from './attempt-sign-in.js'
import { describeScope } from './describe-consent.js'

interface Options { basePath: string, stores: Pick<Stores, 'accesses' | 'users'>, signIn: SignIn, formKeys: FormKeys, accessTokenTtl: number }

/** What came of a form. */
interface Message { text: string, isRefusal: boolean }

/** What a form has done, by the word that the address has for it. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['password', 'The password is changed. You are signed out everywhere else, also in apps that stay signed in for you.'],
  ['removed', 'Access is removed. It ends within ten seconds, and the app has to ask you again.']
])

/** Stands in the place of the query: the forms belong to no authorization request. */
const QUERY = '/account'

/** `GET /account` shows what apps may do for a person; `POST /account` takes it back, signs out everywhere, or changes the password. */
const account: FastifyPluginAsyncTypebox<Options> = async function account (fastify, { basePath, stores, signIn, formKeys, accessTokenTtl }) {
  const schema = { tags: ['Account page'], response: { '2xx': page, '4xx': pageOrProblem, '5xx': pageOrProblem } }
  const changed = { 303: Type.Null({ description: 'To the account page: what was asked for is done.' }), ...schema.response }
  const action = `${basePath}/account`

  fastify.get('/account', { schema: { ...schema, operationId: 'showAccount', summary: 'Show the apps of a person' } }, async (request, reply) => {
    const session = await request.session()
    if (session === null) return await showSignIn(reply)
    const text = DONE.get(request.url.split('?done=', 2)[1] ?? '')
    return await showAccount(reply, session, text === undefined ? undefined : { text, isRefusal: false })
  })

  fastify.post('/account', { schema: { ...schema, operationId: 'changeAccount', summary: 'Change what apps may do', consumes: ['application/x-www-form-urlencoded'], response: changed } }, async (request, reply) => {
    // as: the only body parser is the one for forms.
    const form = (request.body ?? {}) as Parameters
    const now = fastify.clock.now()
    const { userId } = verifyTransaction(formKeys, single(form, 'transaction') ?? '', { browser: request.browser ?? '', query: QUERY }, now)
    const decision = single(form, 'decision')
    if (decision === 'sign-in') {
      const result = await attemptSignIn(signIn, { username: single(form, 'username'), password: single(form, 'password') }, request, reply, now)
      return 'message' in result ? await showSignIn(reply, result) : await showAccount(reply, result)
    }
    const session = await request.session()
    if (session === null || session.userId !== userId) throw oauthError('foreignForm', 'somebody else has signed in since, or the session has ended')
    switch (decision) {
      case 'remove': return await remove(single(form, 'client') ?? '', session, request, reply)
      case 'everywhere': return await signOutEverywhere(session, request, reply)
      case 'password': return await changePassword(form, session, request, reply, now)
      default: throw oauthError('invalidForm', 'no decision')
    }
  })

  async function remove (clientId: string, session: Session, request: FastifyRequest, reply: FastifyReply) {
    const removed = await stores.accesses.remove(session.userId, clientId)
    if (removed !== null) request.audit({ event: 'revocation', outcome: 'person', userId: session.userId, clientId, details: { ...removed } })
    return show('removed', reply)
  }

  async function signOutEverywhere (session: Session, request: FastifyRequest, reply: FastifyReply) {
    await stores.users.endAccess(session.userId)
    await reply.signOut()
    request.audit({ event: 'sign-out', outcome: 'everywhere', userId: session.userId })
    return await reply.page('signed-out', { title: 'You are signed out everywhere' })
  }

  async function changePassword (form: Parameters, session: Session, request: FastifyRequest, reply: FastifyReply, now: Date) {
    const wanted = single(form, 'new_password') ?? ''
    const unfit = refusePassword(wanted)
    if (unfit !== undefined) return await showAccount(reply.code(403), session, { text: unfit, isRefusal: true })
    const result = await checkPassword(signIn, { username: session.username, password: single(form, 'password') }, request, reply)
    if ('message' in result) {
      const text = result.statusCode === 403 ? 'The current password is wrong.' : result.message
      return await showAccount(reply.code(result.statusCode), session, { text, isRefusal: true })
    }
    // Hashed outside of the line of those that are checked: only somebody whose password was checked in it comes here.
    const changed = await stores.users.changePassword(result, await hashPassword(wanted))
    if (changed === null) return await showAccount(reply.code(409), session, { text: 'The password was changed elsewhere at the same moment. Sign in again.', isRefusal: true })
    request.audit({ event: 'password', outcome: 'changed', userId: session.userId })
    await reply.signIn(changed, now)
    return show('password', reply)
  }

  /** Shows the page with what was done, by an address of its own: whoever loads that again does nothing again. */
  function show (done: string, reply: FastifyReply) {
    return reply.header('cache-control', 'no-store').redirect(`${action}?done=${done}`, 303)
  }

  async function showSignIn (reply: FastifyReply, refusal?: Refusal) {
    const transaction = issueTransaction(formKeys, { browser: reply.rememberBrowser(), query: QUERY }, undefined, fastify.clock.now())
    return await reply.code(refusal?.statusCode ?? 200).page('account-sign-in', { title: 'Sign in', action, transaction, refusal })
  }

  async function showAccount (reply: FastifyReply, session: Session, message?: Message) {
    const now = fastify.clock.now()
    const transaction = issueTransaction(formKeys, { browser: reply.rememberBrowser(), query: QUERY }, session.userId, now)
    const accesses = (await stores.accesses.of(session.userId, now, accessTokenTtl)).map(({ scope, since, lastUsed, endsAt, ...app }) => ({
      ...app, permissions: describeScope(scope), since: tell(since), lastUsed: lastUsed && tell(lastUsed), endsAt: endsAt && tell(endsAt)
    }))
    return await reply.page('account', { title: 'My apps', action, username: session.username, transaction, accesses, message })
  }
}
export default account

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

function tell (time: Date) {
  return { iso: time.toISOString(), text: `${format.format(time)} UTC` }
}
