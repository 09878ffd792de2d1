import { queryOf } from '@frontdesk/service-kit/path'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { message, type Message } from '../../languages/translator.js'
import { single } from '../../oauth/parameters.js'
import { createForgottenPasswords } from '../../sign-in/forgotten-password.js'
import type { MailPasswordLink } from '../../sign-in/mail-password-link.js'
import type { Stores } from '../../stores/stores.js'
import { requestIn } from '../request-in.js'
import { pages } from '../responses.js'
import { minutesOf } from '../sign-in/attempt-sign-in.js'
import { createMailNote } from '../mail-note.js'
import mails from './mails.js'

interface Options {
  stores: Pick<Stores, 'profiles' | 'throttles' | 'users'>
  /** `undefined`: email is off. */
  mailLink: MailPasswordLink | undefined
}

/**
 * `/forgot-password`: emails a link that sets a password. The response is the same for every name. Without email, the page does not
 * exist; in development, `/mails` shows the emails.
 */
const forgotPassword: FastifyPluginAsyncTypebox<Options> = async function forgotPassword (fastify, { stores, mailLink }) {
  const { shownMails: shown } = fastify
  if (mailLink === undefined) return
  if (shown !== undefined) await fastify.register(mails, { shown })

  const schema = { tags: ['Account page'], response: pages }
  const forgotten = createForgottenPasswords({ stores, mailLink })
  fastify.addHook('onClose', async () => await forgotten.close())

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
    const { language } = await reply.translator()
    const asked = { source: request.ip, language, request: requestIn(request) }
    const retryAfter = await forgotten.request(typed, asked, createMailNote(request))
    if (retryAfter > 0) {
      const failure = message('forgot-password.throttled', { minutes: minutesOf(retryAfter) })
      return await showForm(reply.code(429).header('retry-after', retryAfter), failure)
    }
    return await reply.page('mail-sent', { title: message('email.check') })
  })

  async function showForm (reply: FastifyReply, failure?: Message) {
    const query = queryOf(reply.request.url)
    const action = `${fastify.prefix}/forgot-password${query === '' ? '' : `?${query}`}`
    return await reply.page('forgot-password', { title: message('sign-in.forgot-password'), action, failure })
  }
}
export default forgotPassword
