import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { stringify } from 'node:querystring'
import { PUSHED_REQUEST_TTL } from '../../lifetimes.js'
import { readAuthorizationRequest, readDestination, type Offer } from '../../oauth/authorization-request.js'
import { oauthError, parameterError } from '../../oauth/errors.js'
import { single } from '../../oauth/parameters.js'
import type { PushedRequests } from '../../consent/pushed-request.js'
import { AuthorizeQuery } from '../authorize/authorize.js'
import { ClientForm, tokenError } from './client-form.js'

/** Longest request, in characters: encrypted, it has to fit into an address. */
const MAX_REQUEST = 5_000

/** `POST /par`: takes an authorization request from the client itself, and gives a reference to it (RFC 9126 §2). */
const par: FastifyPluginAsyncTypebox<{ offer: Offer, pushedRequests: PushedRequests }> = async function par (
  fastify,
  { offer, pushedRequests }
) {
  fastify.post('/par', {
    schema: {
      operationId: 'pushAuthorizationRequest',
      security: [{ clientSecretBasic: [] }, {}],
      summary: 'Push an authorization request',
      tags: ['OAuth 2.0'],
      consumes: ['application/x-www-form-urlencoded'],
      body: Type.Composite([AuthorizeQuery, ClientForm]),
      response: {
        201: Type.Object({
          request_uri: Type.String({ description: 'Goes to `/authorize`, with the `client_id` alone. Leads to one decision.' }),
          expires_in: Type.Integer({ description: 'How long it can be opened, in seconds.' })
        }),
        '4xx': tokenError,
        '5xx': tokenError
      }
    }
  }, async (request, reply) => {
    const { client, form } = request
    const asked = Object.entries(form).filter(([name]) => !(name in ClientForm.properties))
    const parameters = { ...Object.fromEntries(asked), client_id: client.id }
    const now = fastify.clock.now()
    if (single(parameters, 'request_uri') !== undefined) throw parameterError('request_uri', 'has an invalid value')
    readAuthorizationRequest(parameters, readDestination(parameters, client, offer), offer, now, true)
    const query = stringify(parameters)
    if (query.length > MAX_REQUEST) throw oauthError('pushedRequestTooLong', `${query.length} characters`, { client: client.id })
    const reference = await pushedRequests.seal({ clientId: client.id, query }, now)
    return await reply.code(201).send({ request_uri: reference, expires_in: PUSHED_REQUEST_TTL })
  })
}
export default par
