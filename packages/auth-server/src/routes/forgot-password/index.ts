import { queryOf } from '@frontdesk/service-kit/path'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.js'
import { createOutbox } from '../../mail/outbox.js'
import { createShownMails } from '../../mail/mailer.js'
import { createSmtpMailer } from '../../mail/smtp.js'
import { parseParameters, single } from '../../oauth/parameters.js'
import { siteName } from '../../settings/brand.js'
import { createForgottenPasswords, type Outcome } from '../../sign-in/forgotten-password.js'
import type { PasswordLinks } from '../../sign-in/password-link.js'
import { sourceOf } from '../../sign-in/source.js'
import type { Stores } from '../../stores/stores.js'
import { mailEnded } from '../../telemetry/events.js'
import { pages } from '../responses.js'
import { tryAgainIn } from '../attempt-sign-in.js'
import mails from './mails.js'

/** Maximum length of an authorization request in a link, in characters: email programs break longer links. */
const MAX_REQUEST = 1_500

interface Options {
  config: Pick<Config, 'brand' | 'issuer' | 'mail'>
  stores: Pick<Stores, 'profiles' | 'throttles' | 'users'>
  passwordLinks: PasswordLinks
}

/**
 * `/forgot-password`: emails a link that sets a password. The response is the same for every name. Without email, the page does not
 * exist; in development, `/mails` shows the emails.
 */
const forgotPassword: FastifyPluginAsyncTypebox<Options> = async function forgotPassword (fastify, { config, stores, passwordLinks }) {
  const { issuer, mail } = config
  if (mail === undefined) return
  const shown = createShownMails(() => fastify.clock.now())
  if (mail === 'shown') await fastify.register(mails, { shown })

  const schema = { tags: ['Account page'], response: pages }
  const site = siteName(config)
  const outbox = createOutbox(mail === 'shown' ? shown : createSmtpMailer(mail))
  const forgotten = createForgottenPasswords({ stores, passwordLinks, outbox, issuer, site, now: () => fastify.clock.now() })
  fastify.addHook('onClose', async () => {
    await forgotten.close()
    await outbox.close()
  })

  fastify.get('/forgot-password', {
    schema: {
      ...schema,
      operationId: 'showForgotPassword',
      summary: 'Show the form that requests a link to set a password',
      description: 'Available only with `SMTP_URL`. The query is the authorization request to resume afterwards, if any.'
    }
  }, async (request, reply) => await showForm(reply))

  fastify.post('/forgot-password', {
    schema: {
      ...schema,
      operationId: 'forgotPassword',
      summary: 'Request a link to set a password',
      consumes: ['application/x-www-form-urlencoded'],
      body: Type.Object({ username: Type.Optional(Type.String({ description: 'User name or email address.' })) })
    }
  }, async (request, reply) => {
    const typed = (single(request.form, 'username') ?? '').trim()
    const query = queryOf(request.url)
    const isRequest = query.length <= MAX_REQUEST && single(parseParameters(query), 'client_id') !== undefined
    const retryAfter = await forgotten.request(typed, request.ip, isRequest ? query : undefined, createNote(request))
    if (retryAfter > 0) {
      const failure = `Too many requests. ${tryAgainIn(retryAfter)}`
      return await showForm(reply.code(429).header('retry-after', retryAfter), failure)
    }
    return await reply.page('mail-sent', { title: 'Check your email' })
  })

  async function showForm (reply: FastifyReply, failure?: string) {
    const query = queryOf(reply.request.url)
    const action = `${fastify.prefix}/forgot-password${query === '' ? '' : `?${query}`}`
    return await reply.page('forgot-password', { title: 'Forgot your password?', action, failure })
  }

  /** Makes the function that records a request's outcome after the response. It does not keep the request itself. */
  function createNote ({ id: requestId, ip, log }: FastifyRequest) {
    const source = sourceOf(ip)
    return (noted: Outcome) => {
      const { outcome } = noted
      const userId = 'userId' in noted ? noted.userId : null
      const entry = { event: 'mail', outcome, userId, source, requestId }
      if (outcome === 'failed') log.error({ err: noted.failure, userId }, 'an email was not sent')
      if (outcome === 'sent' || outcome === 'failed') {
        mailEnded.publish({ outcome })
        fastify.auditTrail.record({ ...entry, isUnproven: true })
      } else fastify.auditTrail.recordUnproven(entry)
    }
  }
}
export default forgotPassword
