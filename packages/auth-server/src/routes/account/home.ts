import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'

/** `GET /`: redirects to the account page. */
const home: FastifyPluginAsyncTypebox = async function home (fastify) {
  fastify.get('/', {
    schema: {
      operationId: 'redirectToAccount',
      summary: 'Redirect to the account page',
      tags: ['Account page'],
      response: { 302: Type.Null({ description: 'Redirects to the account page.' }) }
    }
  }, async (request, reply) => reply.redirect(`${fastify.prefix}/account`, 302))
}
export default home
