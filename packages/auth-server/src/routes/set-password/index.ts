import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { oauthError } from '../../oauth/errors.js'
import { parseParameters, single } from '../../oauth/parameters.js'
import { hashPassword, whyNotPassword } from '../../sign-in/password.js'
import { createPerKeyLimit } from '../../sign-in/per-key-limit.js'
import type { PasswordLinks } from '../../sign-in/password-link.js'
import type { Stores } from '../../stores/stores.js'
import type { User } from '../../stores/users.js'
import { page, pageOrProblem } from '../answers.js'
import { pageScript } from '../page-script.js'
import { queryOf } from '../query-of.js'

/** Most uses of one person's links at once: the first one ends the others. */
const LINE = 4

const BUSY = 'This link is being used right now. Try again in a few seconds.'

interface Options { stores: Pick<Stores, 'users'>, passwordLinks: PasswordLinks }

/** `/set-password`: sets a password by a link that an operator has made. The link is the proof: it needs no session and no form token. */
const setPassword: FastifyPluginAsyncTypebox<Options> = async function setPassword (fastify, { stores: { users }, passwordLinks }) {
  const inTurn = createPerKeyLimit<boolean>(1, LINE)
  const schema = { tags: ['Account page'], response: { '2xx': page, '4xx': pageOrProblem, '5xx': pageOrProblem } }

  fastify.get('/set-password', {
    schema: {
      ...schema,
      operationId: 'showSetPassword',
      summary: 'Show the form that sets a password',
      querystring: Type.Object({ link: Type.Optional(Type.String({ description: 'The secret of the link.' })) })
    }
  }, async (request, reply) => {
    const link = single(parseParameters(queryOf(request.url)), 'link') ?? ''
    return await showForm(reply, await personOf(link), link)
  })

  fastify.post('/set-password', {
    schema: {
      ...schema,
      operationId: 'setPassword',
      summary: 'Set a password',
      consumes: ['application/x-www-form-urlencoded'],
      body: Type.Object({ link: Type.Optional(Type.String()), new_password: Type.Optional(Type.String()) })
    }
  }, async (request, reply) => {
    const [link, password] = [single(request.form, 'link') ?? '', single(request.form, 'new_password') ?? '']
    const person = await personOf(link)
    const failure = whyNotPassword(password)
    if (failure !== null) return await showForm(reply.code(403), person, link, failure)
    const isSet = await inTurn(person.id, async () => {
      // Again: hashing is expensive, and the use before this one has ended the link.
      const verified = await personOf(link)
      // Of two that use the link at once, at two replicas, one succeeds.
      return await users.changePassword(verified, await hashPassword(password)) !== null
    })
    if (isSet === undefined) return await showForm(reply.code(503).header('retry-after', 2), person, link, BUSY)
    if (!isSet) throw ended()
    request.audit({ event: 'password', outcome: 'link', userId: person.id })
    return await reply.page('password-set', { title: 'Your password is set' })
  })

  /** @throws OAuthError `endedPasswordLink` */
  async function personOf (link: string): Promise<User> {
    const person = await passwordLinks.find(link, fastify.clock.now())
    if (person === null) throw ended()
    return person
  }

  async function showForm (reply: FastifyReply, { username }: User, link: string, failure?: string) {
    const action = `${fastify.prefix}/set-password`
    return await reply.page('set-password', { title: 'Set your password', action, username, link, failure }, '', pageScript)
  }
}
export default setPassword

function ended () {
  return oauthError('endedPasswordLink', 'the link has expired, was used before or was not made here, or the account is disabled')
}
