import type { AccessToken } from '@frontdesk/schemas/access-token'
import { Introspection } from '@frontdesk/schemas/introspection'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { numericDate } from '../../lifetimes.js'
import type { Client } from '../../oauth/client.js'
import { errors, parameterError } from '../../oauth/errors.js'
import { isSelfRegistered } from '../../oauth/identity.js'
import { parseScope, scopeOf } from '../../oauth/scope.js'
import { subjectOf } from '../../oauth/subject.js'
import { single } from '../../oauth/parameters.js'
import type { Inspect, LiveToken } from '../../grants/inspect.js'
import { clientEndpoint, OneTokenForm, tokenErrors } from './client-form.js'

/** `POST /introspect`: describes a token to confidential clients (RFC 7662). */
const introspect: FastifyPluginAsyncTypebox<{ inspect: Inspect, issuer: string }> = async function introspect (
  fastify,
  { inspect, issuer }
) {
  fastify.post('/introspect', {
    schema: {
      ...clientEndpoint,
      operationId: 'introspectToken',
      summary: 'Introspect a token',
      body: OneTokenForm,
      response: { 200: Introspection, ...tokenErrors }
    }
  }, async request => {
    const { client, form } = request
    const now = fastify.clock.now()
    if (client.tokenEndpointAuthMethod === 'none') {
      throw errors.invalidClient('a public client cannot introspect', { client: client.id })
    }
    const token = single(form, 'token')
    if (token === undefined) throw parameterError('token', 'is missing')
    return describe(await inspect(token, now), client, issuer)
  })
}
export default introspect

/** RFC 7662 §2.2. A refresh token is described only to its own client. */
function describe (live: LiveToken | null, caller: Client, issuer: string): Introspection {
  if (live === null) return { active: false }
  if ('access' in live) {
    if (!canSee(caller, live.access)) return { active: false }
    const { scope, ...claims } = live.access
    return { active: true, token_type: claims.cnf === undefined ? 'Bearer' : 'DPoP', ...claims, ...scopeOf(parseScope(scope)) }
  }
  const { clientId, userId, scope, audience, createdAt, expiresAt, grantId } = live.refresh
  if (clientId !== caller.id) return { active: false }
  return {
    active: true,
    iss: issuer,
    sub: subjectOf(caller, userId),
    aud: audience,
    client_id: clientId,
    ...scopeOf(parseScope(scope)),
    iat: numericDate(createdAt),
    exp: numericDate(expiresAt),
    grant_id: grantId
  }
}

/** A self-registered client sees only its own tokens and those for it as a resource: anyone can register one (RFC 7662 §4). */
function canSee (caller: Client, { client_id: owner, aud }: AccessToken): boolean {
  return !isSelfRegistered(caller) || owner === caller.id || aud === caller.id
}
