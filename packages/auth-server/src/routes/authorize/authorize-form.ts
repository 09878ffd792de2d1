import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { page, pageOrProblem } from '../answers.js'
import { AuthorizeQuery } from './authorize.js'

/** `POST /authorize`: like `GET`, with the parameters in a form (RFC 6749 §3.1). Redirects to them as a query string. */
const authorizeForm: FastifyPluginAsyncTypebox<{ issuer: string }> = async function authorizeForm (fastify, { issuer }) {
  fastify.post('/authorize', {
    schema: {
      operationId: 'authorizeByForm',
      summary: 'Request access with a form',
      tags: ['OAuth 2.0'],
      consumes: ['application/x-www-form-urlencoded'],
      body: AuthorizeQuery,
      response: {
        200: page,
        303: Type.Null({ description: 'Redirects to the consent page or, with an error, to the callback.' }),
        '4xx': pageOrProblem,
        '5xx': pageOrProblem
      }
    }
  }, async (request, reply) => {
    return reply.header('cache-control', 'no-store').redirect(`${issuer}/consent?${request.rawQuery}`, 303)
  })
}
export default authorizeForm
