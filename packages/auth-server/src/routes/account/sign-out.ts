import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FormKeys } from '../../consent/form-keys.js'
import { message } from '../../languages/translator.js'
import { single } from '../../oauth/parameters.js'
import { pages } from '../responses.js'
import { issuePageToken, onOwnPage, verifyPageToken } from '../visit.js'

/** Binds form tokens to this page, since its form belongs to no authorization request. */
const QUERY = '/sign-out'

/** `GET /sign-out` asks for confirmation; `POST /sign-out` ends the browser's session. */
const signOut: FastifyPluginAsyncTypebox<{ formKeys: FormKeys }> = async function signOut (fastify, { formKeys }) {
  const action = `${fastify.prefix}/sign-out`
  const schema = { tags: ['Consent page'], response: pages }

  fastify.get('/sign-out', {
    schema: { ...schema, operationId: 'askToSignOut', summary: 'Show the sign-out page' }
  }, async (request, reply) => {
    const session = await request.session()
    if (session === null) return await reply.page('signed-out', { title: message('sign-out.done') })
    const transaction = issuePageToken(reply, formKeys, QUERY, { userId: session.userId })
    return await reply.page('sign-out', {
      title: message('sign-out.title'), action, username: session.username, transaction
    })
  })

  fastify.post('/sign-out', {
    schema: { ...schema, operationId: 'signOut', summary: 'Sign out', consumes: ['application/x-www-form-urlencoded'] }
  }, async (request, reply) => {
    onOwnPage(request, action, () => verifyPageToken(request, formKeys, QUERY, single(request.form, 'transaction')))
    const userId = await reply.signOut()
    if (userId !== null) request.audit({ event: 'sign-out', outcome: 'done', userId })
    return await reply.page('signed-out', { title: message('sign-out.done') })
  })
}
export default signOut
