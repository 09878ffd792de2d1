import { queryOf } from '@frontdesk/service-kit/path'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { Config } from '../../config.js'
import type { FormKeys } from '../../consent/form-keys.js'
import { message, type Text } from '../../languages/translator.js'
import { SIGN_UP_LINK_TTL } from '../../lifetimes.js'
import type { Outbox } from '../../mail/outbox.js'
import { parseParameters, single } from '../../oauth/parameters.js'
import { readEmail, whyNotEmail } from '../../oauth/user-rules.js'
import { siteName } from '../../settings/site-name.js'
import { hashOpaqueToken } from '../../sign-in/opaque-token.js'
import { hashSignUpCode } from '../../sign-in/sign-up-code.js'
import { createSignUpLinks } from '../../sign-in/sign-up-link.js'
import { createSignUpRequests } from '../../sign-in/sign-up-requests.js'
import type { Stores } from '../../stores/stores.js'
import { createMailNote } from '../mail-note.js'
import { requestIn } from '../request-in.js'
import { pages } from '../responses.js'
import { minutesOf } from '../sign-in/attempt-sign-in.js'
import { issuePageToken, onOwnPage, verifyPageToken } from '../visit.js'
import createAccount from './create-account.js'

interface Options { config: Config, stores: Stores, outbox: Outbox, formKeys: FormKeys }

/** What its form tokens are for. */
const FORM = 'sign-up'

/** Why the form is shown again, and its invalid field. */
interface Failure { readonly statusCode: number, readonly message: Text, readonly field?: 'email' | 'code' }

/**
 * `/sign-up`: emails a link with which people create an account. The response is the same for every address. An invitation code is
 * checked here, so that codes cannot be guessed with links, and used by `/create-account`.
 */
const signUp: FastifyPluginAsyncTypebox<Options> = async function signUp (fastify, { config, stores, outbox, formKeys }) {
  const { issuer } = config
  const needsCode = config.signUp === 'code'
  const schema = { tags: ['Account page'], response: pages }
  const links = createSignUpLinks(config)
  const requests = createSignUpRequests({
    stores,
    links,
    outbox,
    issuer,
    site: siteName(config),
    emailsPerHour: config.signUpEmails,
    now: () => fastify.clock.now(),
    log: fastify.log
  })
  fastify.addHook('onClose', async () => await requests.close())
  await fastify.register(createAccount, { config, stores, links, formKeys })

  fastify.get('/sign-up', {
    schema: {
      ...schema,
      operationId: 'showSignUp',
      summary: 'Show the form that requests a link to create an account',
      description: 'Available only with `SIGN_UP`. The query is the authorization request to resume afterwards, if any. ' +
        '`code` prefills the invitation code.'
    }
  }, async (request, reply) => {
    const { code, login_hint: hint } = parseParameters(queryOf(request.url))
    const email = typeof hint === 'string' && hint.includes('@') ? hint : ''
    return await showForm(reply, { email, code: typeof code === 'string' ? code : '' })
  })

  fastify.post('/sign-up', {
    schema: {
      ...schema,
      operationId: 'signUp',
      summary: 'Request a link to create an account',
      consumes: ['application/x-www-form-urlencoded'],
      body: Type.Object({
        transaction: Type.Optional(Type.String({ description: 'The page\'s hidden field.' })),
        email: Type.Optional(Type.String({ description: 'Email address that receives the link.' })),
        code: Type.Optional(Type.String({ description: 'Invitation code, with `SIGN_UP=code`.' }))
      })
    }
  }, async (request, reply) => {
    onOwnPage(request, request.url, () => verifyPageToken(request, formKeys, FORM, single(request.form, 'transaction')))
    const typed = { email: readEmail((single(request.form, 'email') ?? '').trim()), code: single(request.form, 'code') ?? '' }
    const failure = await send(reply, typed)
    if (failure !== null) return await showForm(reply.code(failure.statusCode), typed, failure)
    return await reply.page('sign-up-sent', { title: message('sign-up.sent-title'), email: typed.email, hours: SIGN_UP_LINK_TTL / 3_600 })
  })

  /** Sends the email in the background; returns why not. */
  async function send (reply: FastifyReply, { email, code }: { email: string, code: string }): Promise<Failure | null> {
    const { request } = reply
    const fault = whyNotEmail(email)
    if (fault !== null) return { statusCode: 400, message: fault, field: 'email' }
    const [browserHash, before] = [hashOpaqueToken(reply.rememberBrowser()), requestIn(request)]
    const needed = { ...needsCode && { codeHash: hashSignUpCode(code) }, ...before !== undefined && { request: before } }
    const { language } = await reply.translator()
    const asked = { source: request.ip, language }
    const outcome = await requests.request({ email, browserHash, ...needed }, asked, createMailNote(request))
    if (outcome === 'queued') return null
    if (outcome === 'wrong code') {
      request.auditUnproven({ event: 'sign-up', outcome })
      return { statusCode: 403, message: message('sign-up.wrong-code'), field: 'code' }
    }
    reply.header('retry-after', outcome.retryAfter)
    const why = outcome.isBusy ? 'sign-up.busy' : 'failure.throttled'
    return { statusCode: 429, message: message(why, { minutes: minutesOf(outcome.retryAfter) }) }
  }

  async function showForm (reply: FastifyReply, typed: { email: string, code: string }, failure?: Failure) {
    const query = queryOf(reply.request.url)
    const search = query === '' ? '' : `?${query}`
    const signIn = `${fastify.prefix}/${parseParameters(query).client_id === undefined ? 'account' : 'consent'}${search}`
    return await reply.page('sign-up', {
      title: message('sign-up.title'), transaction: issuePageToken(reply, formKeys, FORM), action: `${fastify.prefix}/sign-up${search}`, signIn, needsCode, ...typed, failure
    })
  }
}
export default signUp
