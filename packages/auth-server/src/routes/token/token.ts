import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { exchange } from '../../grants/exchange.js'
import type { GrantParts } from '../../grants/grant-type.js'
import { metricLabel } from '../../oauth/identity.js'
import { TokenResponse } from '../../oauth/token-response.js'
import { tokenIssued } from '../../telemetry/events.js'
import { ClientForm, clientEndpoint, DpopHeader, tokenErrors } from './client-form.js'
import type { ProvenKey } from '../proven-key.js'

/** Documents the form. The grant types validate it. */
const TokenForm = Type.Composite([ClientForm, Type.Object({
  grant_type: Type.String({ description: 'How access was granted.' }),
  code: Type.Optional(Type.String({ description: 'The authorization code.' })),
  redirect_uri: Type.Optional(Type.String({ description: 'The callback, if the authorization request had one.' })),
  code_verifier: Type.Optional(Type.String({
    description: 'PKCE code verifier (RFC 7636). Required if the authorization request had a code challenge.'
  })),
  refresh_token: Type.Optional(Type.String({ description: 'The latest refresh token.' })),
  device_code: Type.Optional(Type.String({ description: 'The device code (RFC 8628 §3.4).' })),
  scope: Type.Optional(Type.String({ description: 'A subset of the granted scopes. Default: all of them.' })),
  resource: Type.Optional(Type.String({ description: 'Resource that the token is for (RFC 8707).' }))
})])

/** `POST /token`: exchanges a grant for tokens (RFC 6749 §3.2). */
const token: FastifyPluginAsyncTypebox<{ parts: GrantParts, provenKey: ProvenKey }> = async function token (fastify, { parts, provenKey }) {
  fastify.post('/token', {
    schema: {
      ...clientEndpoint,
      operationId: 'issueToken',
      summary: 'Exchange a grant for tokens',
      headers: DpopHeader,
      body: TokenForm,
      response: { 200: TokenResponse, ...tokenErrors }
    }
  }, async (request, reply) => {
    const { client, form } = request
    const jkt = await provenKey(reply)
    const { response, userId, details } = await exchange(parts, { client, form, jkt, now: fastify.clock.now() })
    // as: exchange found it.
    const grantType = form.grant_type as string
    tokenIssued.publish({ grantType, client: metricLabel(client) })
    request.audit({ event: 'token', outcome: grantType, userId, clientId: client.id, details: { scope: response.scope ?? '', ...details } })
    return response
  })
}
export default token
