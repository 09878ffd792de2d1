import { queryOf } from '@frontdesk/service-kit/path'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { errors } from '../../oauth/errors.js'
import { parseParameters, single } from '../../oauth/parameters.js'
import type { EmailLinks } from '../../sign-in/email-link.js'
import type { Stores } from '../../stores/stores.js'
import { pages } from '../responses.js'

interface Options { profiles: Pick<Stores['profiles'], 'verifyEmail'>, emailLinks: EmailLinks }

/**
 * `/verify-email`: verifies an email address with a link that was sent there. The link is the proof: no session or form token is needed.
 * The page has a button, because mail scanners open links.
 */
const verifyEmail: FastifyPluginAsyncTypebox<Options> = async function verifyEmail (fastify, { profiles, emailLinks }) {
  const schema = { tags: ['Account page'], response: pages }
  const action = `${fastify.prefix}/verify-email`
  const fields = Type.Object({ link: Type.Optional(Type.String({ description: 'The link\'s secret.' })) })

  fastify.get('/verify-email', {
    schema: {
      ...schema,
      operationId: 'showVerifyEmail',
      summary: 'Show the button that verifies an email address',
      description: 'Available only with `SMTP_URL`.',
      querystring: fields
    }
  }, async (request, reply) => {
    const link = single(parseParameters(queryOf(request.url)), 'link') ?? ''
    const { username, email } = await open(link)
    return await reply.page('verify-email', { title: 'Verify your email address', action, username, email, link })
  })

  fastify.post('/verify-email', {
    schema: {
      ...schema,
      operationId: 'verifyEmail',
      summary: 'Verify an email address with a link',
      consumes: ['application/x-www-form-urlencoded'],
      body: fields
    }
  }, async (request, reply) => {
    const { id: userId, email } = await open(single(request.form, 'link') ?? '')
    if (!await profiles.verifyEmail(userId, email)) throw ended()
    request.audit({ event: 'profile', outcome: 'verified', userId, details: { attributes: ['emailVerified'] } })
    return await reply.page('email-verified', { title: 'Email address verified', email })
  })

  /** @throws OAuthError `endedEmailLink` */
  async function open (link: string) {
    const found = await emailLinks.find(link, fastify.clock.now())
    if (found === null) throw ended()
    return found
  }
}
export default verifyEmail

function ended () {
  return errors.endedEmailLink('the link has expired or is not from this server, or the user is disabled or has another address')
}
