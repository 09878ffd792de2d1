import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Client } from '../../oauth/client.js'
import { parameterError } from '../../oauth/errors.js'
import { single } from '../../oauth/parameters.js'
import type { Grants } from '../../stores/grants/grants.js'
import type { Revocation } from '../../stores/access/revocations.js'
import type { Stores } from '../../stores/stores.js'
import { findUserId, type Inspect, type LiveToken } from '../../grants/inspect.js'
import { hashRefreshToken } from '../../grants/refresh-token-form.js'
import { clientEndpoint, OneTokenForm, tokenErrors } from './client-form.js'

/** `POST /revoke`: revokes an access token, or the whole grant of a refresh token (RFC 7009). */
const revoke: FastifyPluginAsyncTypebox<{
  inspect: Inspect
  stores: Pick<Stores, 'grants' | 'refreshTokens' | 'revocations'>
}> = async function revoke (fastify, { inspect, stores }) {
  fastify.post('/revoke', {
    schema: {
      ...clientEndpoint,
      operationId: 'revokeToken',
      summary: 'Revoke a token',
      body: OneTokenForm,
      response: {
        200: Type.Object({}, { description: 'The token is not valid any more, or never was. Ignore the body (RFC 7009 §2.2).' }),
        ...tokenErrors
      }
    }
  }, async request => {
    const { client, form } = request
    const now = fastify.clock.now()
    const token = single(form, 'token')
    if (token === undefined) throw parameterError('token', 'is missing')
    const live = await inspect(token, now) ?? await findSpent(token, now)
    if (live !== null) {
      const revocation = describeRevocation(live, client.id, now)
      const userId = await findOwner(live, client, stores.grants)
      await stores.revocations.add({ ...revocation, userId })
      request.audit({ event: 'revocation', outcome: 'done', userId, clientId: client.id, details: { id: revocation.id } })
    }
    // A JSON body: some clients reject an empty response.
    return {}
  })

  /** A client that lost a response has only a spent refresh token, which can revoke the family. */
  async function findSpent (token: string, now: Date): Promise<LiveToken | null> {
    const refresh = await stores.refreshTokens.findFamily(hashRefreshToken(token), now)
    return refresh === null ? null : { refresh }
  }
}
export default revoke

/** The resource owner; `null` if the client acts on its own behalf. */
async function findOwner (live: LiveToken, client: Client, grants: Pick<Grants, 'findUserId'>): Promise<string | null> {
  if ('refresh' in live) return live.refresh.userId
  return live.access.sub === live.access.client_id ? null : await findUserId(live.access, client, grants)
}

/** @throws OAuthError `invalidRequest` if the token belongs to another client (RFC 7009 §2.1) */
function describeRevocation (live: LiveToken, clientId: string, revokedAt: Date): Revocation {
  const owner = 'access' in live ? live.access.client_id : live.refresh.clientId
  if (owner !== clientId) throw parameterError('token', 'has an invalid value', 'the token belongs to another client', { client: clientId })
  if ('access' in live) return { id: live.access.jti, revokedAt, endsAt: new Date(live.access.exp * 1000), clientId }
  return { id: live.refresh.grantId, revokedAt }
}
