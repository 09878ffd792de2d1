import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.js'
import type { FormKeys } from '../../consent/form-keys.js'
import { message, type Text } from '../../languages/translator.js'
import { SIGN_UP_LINK_TTL } from '../../lifetimes.js'
import { PASSWORD } from '../../oauth/authentication.js'
import { errors } from '../../oauth/errors.js'
import { single } from '../../oauth/parameters.js'
import { hashOpaqueToken } from '../../sign-in/opaque-token.js'
import { hashPassword } from '../../sign-in/password.js'
import type { OpenedSignUp, SignUpLinks } from '../../sign-in/sign-up-link.js'
import type { Stores } from '../../stores/stores.js'
import type { SignUps } from '../../stores/users/sign-ups.js'
import { linkField, linkIn } from '../link-field.js'
import { pageScript } from '../page-script.js'
import { pages } from '../responses.js'
import { tooManyAttempts } from '../sign-in/attempt-sign-in.js'
import { issuePageToken, onOwnPage, verifyPageToken } from '../visit.js'
import { readTyped, suggestUsername, whyNotAccount, type AccountField, type TypedAccount } from './read-account.js'

interface Options {
  config: Pick<Config, 'issuer' | 'passwordMin' | 'signUp' | 'terms'>
  stores: Pick<Stores, 'spentIds' | 'throttles' | 'users'> & { readonly signUps: SignUps }
  links: SignUpLinks
  formKeys: FormKeys
}

/** Maximum attempts with a link: each one tells whether a user name is taken. */
const ATTEMPTS = { name: 'create account', points: 20, duration: SIGN_UP_LINK_TTL }

/** Why the form is shown again, and its invalid field. */
interface Failure {
  readonly statusCode: number
  readonly message: Text
  readonly field?: AccountField | undefined
  readonly retryAfter?: number | undefined
}

/** What the form shows. */
interface Shown extends Pick<OpenedSignUp, 'email' | 'request'>, Omit<TypedAccount, 'password'> { readonly link: string }

/** `/create-account`: creates an account with a link from `/sign-up`, and signs in. The link proves the address. */
const createAccount: FastifyPluginAsyncTypebox<Options> = async function createAccount (
  fastify, { config, stores: { signUps, spentIds, throttles, users }, links, formKeys }
) {
  const { issuer, passwordMin, signUp, terms } = config
  const action = `${fastify.prefix}/create-account`
  const attempts = throttles.under(ATTEMPTS)
  const schema = { tags: ['Account page'], response: pages }

  fastify.get('/create-account', {
    schema: {
      ...schema,
      operationId: 'showCreateAccount',
      summary: 'Show the form that creates an account',
      querystring: Type.Object(linkField)
    }
  }, async (request, reply) => {
    const opened = await open(linkIn(request))
    if (await spentIds.has(opened.idHash)) throw ended('the link was used')
    return await showForm(reply, { ...opened, link: linkIn(request), username: suggestUsername(opened.email), name: '' })
  })

  fastify.post('/create-account', {
    schema: {
      ...schema,
      operationId: 'createAccount',
      summary: 'Create an account',
      consumes: ['application/x-www-form-urlencoded'],
      body: Type.Object({
        transaction: Type.Optional(Type.String({ description: 'The page\'s hidden field.' })),
        ...linkField,
        username: Type.Optional(Type.String()),
        new_password: Type.Optional(Type.String()),
        name: Type.Optional(Type.String({ description: 'Full name.' })),
        terms: Type.Optional(Type.String({ description: 'The version of the terms that the user accepts.' }))
      }),
      response: { ...pages, 303: Type.Null({ description: 'Done. Redirects to the authorization request, or to the account page.' }) }
    }
  }, async (request, reply) => {
    const link = single(request.form, 'link') ?? ''
    const opened = await open(link)
    onOwnPage(request, `${action}?link=${link}`, () => verifyPageToken(request, formKeys, link, single(request.form, 'transaction')))
    const typed = readTyped(request)
    const id = randomUUID()
    const failure = await create(request, id, opened, typed)
    if (failure === null) return await signIn(reply, opened, id)
    if (failure.retryAfter !== undefined) reply.header('retry-after', failure.retryAfter)
    return await showForm(reply.code(failure.statusCode), { ...opened, link, ...typed }, failure)
  })

  /** Creates the account; returns why not. @throws OAuthError `endedSignUpLink` */
  async function create (request: FastifyRequest, id: string, opened: OpenedSignUp, typed: TypedAccount): Promise<Failure | null> {
    const { retryAfter } = await attempts.count(opened.idHash)
    if (retryAfter > 0) return tooManyAttempts(retryAfter)
    const { email, idHash, keptUntil, codeHash } = opened
    const fault = await whyNotAccount(typed, email, single(request.form, 'terms'), config)
    if (fault !== null) return { statusCode: 403, ...fault }
    const passwordHash = await hashPassword(typed.password)
    const user = { id, username: typed.username, passwordHash, name: typed.name || null, email, termsVersion: terms?.version ?? null }
    const added = await signUps.add(user, { idHash, keptUntil, codeHash, needsCode: signUp === 'code' })
    if (typeof added === 'object') {
      const { codeId: code } = added
      request.audit({ event: 'sign-up', outcome: 'done', userId: id, details: { ...code !== null && { code }, ...terms && { terms: terms.version } } })
      return null
    }
    if (added === 'taken name') return { statusCode: 409, field: 'username', message: message('create-account.taken-name') }
    if (added === 'used code') return { statusCode: 409, message: message('create-account.used-code') }
    throw ended(added)
  }

  /** Starts a session, and resumes the authorization request if this browser sent it: in another one, the app would refuse the response. */
  async function signIn (reply: FastifyReply, { browserHash, request }: OpenedSignUp, id: string) {
    const user = await users.find({ id })
    // `null`: an operator has changed the user in the meantime.
    if (user !== null && await reply.signIn(user, { authTime: fastify.clock.now(), amr: PASSWORD }) !== null) reply.seeBrowser(user)
    reply.header('cache-control', 'no-store')
    if (request === undefined) reply.setFlash('created')
    else if (hashOpaqueToken(reply.request.browser ?? '') === browserHash) return reply.redirect(`${issuer}/consent?${request}`, 303)
    else reply.setFlash('created-elsewhere')
    return reply.redirect(`${fastify.prefix}/account`, 303)
  }

  /** @throws OAuthError `endedSignUpLink` */
  async function open (link: string): Promise<OpenedSignUp> {
    const opened = await links.open(link, fastify.clock.now())
    if (opened === null) throw ended('the link has expired, or is not from this server')
    if (signUp === 'code' && opened.codeHash === undefined) throw ended('codes are required since')
    return opened
  }

  async function showForm (reply: FastifyReply, { link, email, username, name, request }: Shown, failure?: Failure) {
    const transaction = issuePageToken(reply, formKeys, link)
    const content = { title: message('create-account.title'), action, link, transaction, email, username, name, terms, passwordMin, failure }
    // An app of the installation needs no consent: its callback can follow at once.
    return await reply.page('create-account', content, { script: pageScript, leadsOutside: request !== undefined })
  }
}
export default createAccount

function ended (reason: string) {
  return errors.endedSignUpLink(reason)
}
