import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { SetUpRule } from '../../factors/set-up-rule.js'
import { message, type Message } from '../../languages/translator.js'
import { errors } from '../../oauth/errors.js'
import { single } from '../../oauth/parameters.js'
import type { EmailLinks } from '../../sign-in/email-link.js'
import type { SignIn } from '../../sign-in/sign-in.js'
import type { Stores } from '../../stores/stores.js'
import type { Standing } from '../../stores/users/standing.js'
import { checkPassword } from '../sign-in/attempt-sign-in.js'
import { linkField, linkIn } from '../link-field.js'
import { pageScript } from '../page-script.js'
import { pages } from '../responses.js'

interface Options {
  stores: Pick<Stores, 'factors' | 'profiles'>
  emailLinks: EmailLinks
  signIn: SignIn
  rule: Pick<SetUpRule, 'mayVerify'>
}

const ASK = message('email.verify-administrator')
const USE_FACTOR = message('email.verify-factor')

/**
 * `/verify-email`: verifies an email address with a link that was sent there, and the password: a verified address can reset it, which a
 * session alone must not. No session or form token is needed. It receives the code that permits a first factor, which the password alone
 * must not: where one is required, an administrator verifies the first address of a user. Users with a factor need a link that they
 * requested with it: the address will receive links that remove factors.
 */
const verifyEmail: FastifyPluginAsyncTypebox<Options> = async function verifyEmail (fastify, { stores, emailLinks, signIn, rule }) {
  const schema = { tags: ['Account page'], response: pages }
  const action = `${fastify.prefix}/verify-email`

  fastify.get('/verify-email', {
    schema: {
      ...schema,
      operationId: 'showVerifyEmail',
      summary: 'Show the form that verifies an email address',
      description: 'Available only with `SMTP_URL`.',
      querystring: Type.Object(linkField)
    }
  }, async (request, reply) => {
    const link = linkIn(request)
    const found = await open(link)
    return await (found.emailVerified ? showVerified(reply, found) : showForm(reply, found, link))
  })

  fastify.post('/verify-email', {
    schema: {
      ...schema,
      operationId: 'verifyEmail',
      summary: 'Verify an email address with a link',
      consumes: ['application/x-www-form-urlencoded'],
      body: Type.Object({ ...linkField, password: Type.Optional(Type.String()) })
    }
  }, async (request, reply) => {
    const link = single(request.form, 'link') ?? ''
    const found = await open(link)
    // Sent twice, or opened in two tabs.
    if (found.emailVerified) return await showVerified(reply, found)
    const { id: userId, username, email } = found
    const result = await checkPassword({ signIn, reply }, username)
    if ('message' in result) return await showForm(reply.code(result.statusCode), found, link, result.message)
    const [mayVerify, standing] = [rule.mayVerify(found.isProven), await stores.factors.standing(userId)]
    if (standing !== null && !mayVerify(standing)) return await showForm(reply.code(403), found, link, adviceFor(standing))
    if (result.id !== userId || !await stores.profiles.verifyEmail(result, email, mayVerify)) throw ended()
    request.audit({ event: 'profile', outcome: 'verified', userId, details: { attributes: ['emailVerified'] } })
    return await showVerified(reply, found)
  })

  async function showForm (
    reply: FastifyReply, { username, email }: { readonly username: string, readonly email: string }, link: string, failure?: Message
  ) {
    const content = { title: message('email.verify'), action, username, email, link, failure }
    return await reply.page('verify-email', content, { script: pageScript })
  }

  async function showVerified (reply: FastifyReply, { email }: { readonly email: string }) {
    return await reply.page('email-verified', { title: message('email.verified'), email })
  }

  /** @throws OAuthError `endedEmailLink` */
  async function open (link: string) {
    const found = await emailLinks.find(link, fastify.clock.now())
    if (found === null) throw ended()
    return found
  }
}
export default verifyEmail

function adviceFor ({ factors }: Standing): Message {
  return factors === null ? ASK : USE_FACTOR
}

function ended () {
  return errors.endedEmailLink('the link has expired or is not from this server, or the user is disabled or has another address')
}
