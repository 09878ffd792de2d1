import { readAudience } from '../oauth/authorization-request.js'
import { oauthError } from '../oauth/errors.js'
import { single } from '../oauth/parameters.js'
import { narrowScope } from '../oauth/scope.js'
import { grantable } from '../oauth/openid-scopes.js'
import type { GrantType } from './grant-type.js'

/**
 * An access token for a client that acts on its own behalf (RFC 6749 §4.4). No person consents, so the scope is limited to what
 * the client may ask for, or else to its default scope. No refresh token: the client can ask again.
 */
export const clientCredentials: GrantType = {
  name: 'client_credentials',
  async issue ({ stores, tokens, defaultAudience }, { client, form, jkt, now }) {
    if (client.tokenEndpointAuthMethod === 'none') {
      throw oauthError('unauthorizedGrant', 'the client does not authenticate', { client: client.id })
    }
    const asked = single(form, 'scope') === undefined ? client.defaultScope : client.allowedScope ?? client.defaultScope
    const scope = narrowScope(form, asked)
    const audience = readAudience(form, client, { defaultAudience })
    // The client may come from the cache: the database knows whether it is still enabled.
    const given = await stores.clients.issuable(client.id)
    if (given === null) throw oauthError('invalidClient', 'the client was disabled or removed at this moment', { client: client.id })
    const answer = await tokens.issue(
      {
        client,
        userId: null,
        audience,
        authTime: undefined,
        nonce: null,
        sid: null,
        scope: grantable(scope, { idToken: false, refreshToken: true }),
        grantType: 'client_credentials',
        jkt
      },
      now,
      given.notBefore
    )
    return { answer, userId: null }
  }
}
