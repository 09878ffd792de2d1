import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { stringify } from 'node:querystring'
import { PUSHED_REQUEST_TTL } from '../../lifetimes.js'
import { readAuthorizationRequest, readDestination, type Offer } from '../../oauth/authorization-request.js'
import { errors, dpopProofError, parameterError } from '../../oauth/errors.js'
import { needsCallback } from '../../oauth/openid-request.js'
import { parseParameters, single, type Parameters } from '../../oauth/parameters.js'
import type { PushedRequests } from '../../consent/pushed-request.js'
import { AuthorizeQuery } from '../authorize/authorize.js'
import { ClientForm, clientEndpoint, DpopHeader, tokenErrors } from './client-form.js'
import type { ProvenKey } from '../proven-key.js'

/** When a client with too many stored requests can try again, in seconds. */
const RETRY_AFTER_S = 60

/** `POST /par`: accepts an authorization request from the client, and returns a reference to it (RFC 9126 §2). */
const par: FastifyPluginAsyncTypebox<{ offer: Offer, pushedRequests: PushedRequests, provenKey: ProvenKey }> = async function par (
  fastify,
  { offer, pushedRequests, provenKey }
) {
  fastify.post('/par', {
    schema: {
      ...clientEndpoint,
      operationId: 'pushAuthorizationRequest',
      summary: 'Push an authorization request',
      headers: DpopHeader,
      body: Type.Composite([
        Type.Required(Type.Pick(AuthorizeQuery, ['response_type'])), Type.Omit(AuthorizeQuery, ['response_type', 'request_uri']), ClientForm
      ]),
      response: {
        201: Type.Object({
          request_uri: Type.String({ description: 'Send it to `/authorize` with only the `client_id`. Allows one decision.' }),
          expires_in: Type.Integer({ description: 'Lifetime, in seconds.' })
        }),
        ...tokenErrors
      }
    }
  }, async (request, reply) => {
    const now = fastify.clock.now()
    const reference = await pushedRequests.seal(request.client, readPushed(request, await provenKey(reply), now), now)
    if (reference === null) {
      reply.header('retry-after', RETRY_AFTER_S)
      throw errors.tooManyPushedRequests('too many of the client\'s requests are stored', { client: request.client.id })
    }
    return await reply.code(201).send({ request_uri: reference, expires_in: PUSHED_REQUEST_TTL })
  })

  /** The request as a query string, checked as `/authorize` does. @param jkt thumbprint of the proven DPoP key */
  function readPushed ({ client, form }: FastifyRequest, jkt: string | undefined, now: Date): string {
    const pushed = Object.entries(form).filter(([name]) => !(name in ClientForm.properties))
    const proven = jkt === undefined ? {} : { dpop_jkt: jkt }
    const parameters: Parameters = { ...Object.fromEntries(pushed), client_id: client.id, ...proven }
    // RFC 9449 §10.1.
    if (jkt !== undefined && form.dpop_jkt !== undefined && form.dpop_jkt !== jkt) {
      throw dpopProofError('The parameter dpop_jkt is not the key of the DPoP proof.', undefined, { client: client.id })
    }
    if (single(parameters, 'request_uri') !== undefined) throw parameterError('request_uri', 'has an invalid value')
    // FAPI 2.0 §5.3.2.2.
    const isCallbackRequired = client.profile === 'fapi2' || client.callbacks.length !== 1 || needsCallback(parameters, client)
    if (parameters.redirect_uri === undefined && isCallbackRequired) throw parameterError('redirect_uri', 'is missing')
    readAuthorizationRequest(parameters, readDestination(parameters, client, offer), offer, { now, isPushed: true })
    const query = stringify(parameters)
    // Parsed as `/authorize` will (RFC 9126 §2.1): with the added parameters, there can be too many.
    parseParameters(query, 'invalidForm')
    return query
  }
}
export default par
