import { customerScopes, type CustomerScope } from '@frontdesk/schemas/customer-scope'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FormKeys } from '../consent/form-keys.js'
import { issueTransaction, verifyTransaction } from '../consent/transaction.js'
import type { AuthorizationRequest } from '../oauth/authorization-request.js'
import { oauthError } from '../oauth/errors.js'
import { type Parameters, single } from '../oauth/parameters.js'
import { sourceOfForms } from '../oauth/redirect-uri.js'
import type { ResponseType } from '../response-types/response-type.js'
import type { SignIn, SignInResult } from '../sign-in/sign-in.js'
import type { Session } from '../stores/sessions.js'
import { signInEnded, tokenIssued } from '../telemetry/events.js'
import { page, pageOrProblem } from './answers.js'
import { AuthorizeQuery } from './authorize.js'

/** The form of the consent page. */
const ConsentForm = Type.Object({
  transaction: Type.String({ description: 'The hidden field of the page.' }),
  decision: Type.Union(['allow', 'deny', 'switch'].map(it => Type.Literal(it)), { description: 'The button: allow, deny, or sign in as somebody else.' }),
  username: Type.Optional(Type.String()),
  password: Type.Optional(Type.String())
})

interface Options {
  basePath: string
  responseTypes: readonly ResponseType[]
  signIn: SignIn
  /** Authenticates the hidden field. */
  formKeys: FormKeys
}

/** What went wrong with an attempt to sign in, as the page says it. */
interface Refusal { statusCode: 403 | 429 | 503, message: string, username: string }

/** `GET /consent` shows the page, `POST /consent` takes the decision. */
const consent: FastifyPluginAsyncTypebox<Options> = async function consent (fastify, { basePath, responseTypes, signIn, formKeys }) {
  const schema = { tags: ['Consent page'], querystring: AuthorizeQuery, response: { 303: Type.Null({ description: 'To the callback.' }), '2xx': page, '4xx': pageOrProblem, '5xx': pageOrProblem } }
  // The scope's hook checks the query by the rules of RFC 6749, and the handler the form.
  const validatorCompiler = () => () => true

  fastify.get('/consent', { schema: { ...schema, summary: 'Show the consent page' }, validatorCompiler }, async (request, reply) => {
    return await showPage(request, reply, await request.session())
  })

  fastify.post('/consent', {
    schema: { ...schema, summary: 'Allow or deny', consumes: ['application/x-www-form-urlencoded'], body: ConsentForm }, validatorCompiler
  }, async (request, reply) => {
    // as: the only body parser is the one for forms.
    const form = readForm(request.body as Parameters)
    const now = new Date()
    const binding = { browser: request.browser ?? '', query: request.rawQuery }
    const transaction = verifyTransaction(formKeys, form.transaction, binding)
    if (form.decision === 'deny') throw oauthError('accessDenied', 'Deny was pressed')
    if (form.decision === 'switch') {
      await reply.signOut()
      return await showPage(request, reply, null)
    }
    const session = form.username === undefined && transaction.userId !== undefined
      ? await sameSession(request, transaction.userId)
      : await signInWith(form, request, reply, now)
    if (session === null) return reply
    const responseType = responseTypes.find(({ name }) => name === request.authorization.responseType)!
    const answer = await responseType.issue({ request: request.authorization, userId: session.userId, authTime: session.authTime, nonce: transaction.nonce }, now)
    tokenIssued.tell({ grant: responseType.grantType, client: request.authorization.client.id })
    return reply.toCallback(request.authorization, answer)
  })

  /** The person that the page named, still signed in: nobody allows in somebody else's name. */
  async function sameSession (request: FastifyRequest, userId: string): Promise<Session> {
    const session = await request.session()
    if (session?.userId !== userId) throw oauthError('foreignForm', 'somebody else has signed in since, or the session has ended')
    return session
  }

  /** The session of who gave a right password; `null` if the page was shown again. */
  async function signInWith ({ username = '', password = '' }: { username?: string | undefined, password?: string | undefined }, request: FastifyRequest, reply: FastifyReply, now: Date): Promise<Session | null> {
    const result = await signIn(username, password, request.ip)
    request.log.info({ outcome: result.outcome }, 'sign-in')
    signInEnded.tell({ outcome: result.outcome })
    if (result.outcome === 'signed in') return await reply.signIn(result.user, now)
    const { retryAfter, ...refusal } = refuse(result)
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
    await showPage(request, reply, null, { ...refusal, username })
    return null
  }

  async function showPage (request: FastifyRequest, reply: FastifyReply, session: Session | null, refusal?: Refusal) {
    const { authorization, rawQuery } = request
    const transaction = issueTransaction(formKeys, { browser: reply.rememberBrowser(), query: rawQuery }, session?.userId, new Date())
    return await reply.code(refusal?.statusCode ?? 200).page('consent', {
      title: `${authorization.client.name} asks for access`,
      action: `${basePath}/consent?${rawQuery}`,
      ...describe(authorization),
      username: session?.username,
      transaction,
      refusal
    }, sourceOfForms(authorization.redirectUri))
  }
}
export default consent

function refuse (result: Exclude<SignInResult, { outcome: 'signed in' }>): Omit<Refusal, 'username'> & { retryAfter?: number } {
  switch (result.outcome) {
    case 'wrong': return { statusCode: 403, message: 'The user name or the password is wrong.' }
    case 'throttled': return { statusCode: 429, message: `Too many attempts. Wait ${Math.ceil(result.retryAfter / 60)} min and try again.`, retryAfter: result.retryAfter }
    case 'busy': return { statusCode: 503, message: 'Too many people sign in at this moment. Try again in a few seconds.', retryAfter: 2 }
  }
}

function readForm (body: Parameters | undefined) {
  try {
    const form = body ?? {}
    const decision = single(form, 'decision')
    const fields = { transaction: single(form, 'transaction'), username: single(form, 'username'), password: single(form, 'password') }
    if (decision !== 'allow' && decision !== 'deny' && decision !== 'switch') throw oauthError('invalidForm', 'no decision')
    return { ...fields, transaction: fields.transaction ?? '', decision }
  } catch (cause) {
    throw oauthError('invalidForm', String(cause))
  }
}

/** The request in words. */
function describe ({ client, redirectUri, scope }: AuthorizationRequest) {
  const { host, protocol } = new URL(redirectUri)
  const isKnown = (it: string): it is CustomerScope => Object.hasOwn(customerScopes, it)
  return {
    clientName: client.name,
    destination: host === '' ? `an app on this device (${protocol}…)` : host,
    permissions: scope.filter(isKnown).map(it => customerScopes[it]),
    unknown: scope.filter(it => !isKnown(it))
  }
}
