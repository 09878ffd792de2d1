import type { Client } from '../oauth/client.js'
import { errors } from '../oauth/errors.js'
import { isSelfRegistered } from '../oauth/identity.js'
import { single } from '../oauth/parameters.js'
import { allowsAny, namedScopes } from '../oauth/reserved-scopes.js'
import { allowedOf, limitScope, narrowScope, parseScope } from '../oauth/scope.js'
import { grantable } from '../oauth/openid-scopes.js'
import { readAudience, reservedScopesOf } from '../oauth/resource.js'
import type { GrantType } from './grant-type.js'

/**
 * An access token for a client that acts on its own behalf (RFC 6749 §4.4). No user consents, so the scope is limited to the client's
 * allowed scope or, if that allows any, to its default scope and the scopes that are named. No refresh token: the client can request
 * another access token.
 */
export const clientCredentials: GrantType<'clients'> = {
  name: 'client_credentials',
  async issue ({ stores, tokens, server }, { client, form, jkt, now }) {
    if (client.tokenEndpointAuthMethod === 'none') {
      throw errors.unauthorizedGrant('the client does not authenticate', { client: client.id })
    }
    const limit = scopeLimit(client)
    const usual = allowedOf(parseScope(client.defaultScope), limit).join(' ')
    const scope = narrowScope(form, single(form, 'scope') === undefined ? usual : limit)
    const audience = readAudience(form, client, server)
    // The client can come from the cache; the database knows whether it is still enabled.
    const given = await stores.clients.issuable(client.id)
    if (given === null) throw errors.invalidClient('the client was disabled or removed during the request', { client: client.id })
    const allowed = grantable(limitScope(scope, client, reservedScopesOf(audience, server)), { idToken: false, refreshToken: true })
    const noUser = { userId: null, authentication: undefined, nonce: null, sid: null }
    const content = { ...noUser, client, audience, scope: allowed, grantType: 'client_credentials', jkt }
    return { response: await tokens.issue(content, now, given.notBefore), userId: null }
  }
}

/** The scopes that a client can get for itself. The default scope of a self-registered client allows nothing: no operator set it. */
function scopeLimit (client: Client): string {
  const { allowedScope, defaultScope } = client
  if (allowedScope !== null && !allowsAny(allowedScope)) return allowedScope
  return isSelfRegistered(client) ? '' : [...new Set([...parseScope(defaultScope), ...namedScopes(allowedScope)])].join(' ')
}
