import { isAdminScope } from '../oauth/admin-scopes.js'
import { errors, parameterError, type OAuthError } from '../oauth/errors.js'
import { single } from '../oauth/parameters.js'
import { refreshedResource, reservedScopesOf, type ServerResources } from '../oauth/resource.js'
import { grantableScope, limitScope, narrowScope, onlyReserved } from '../oauth/scope.js'
import { randomOpaqueToken } from '../sign-in/opaque-token.js'
import type { Refreshed, RefreshTokenUse, TokenUse } from '../stores/grants/refresh-family.js'
import { boundKey } from './new-tokens.js'
import type { GrantParts, GrantType, TokenRequest } from './grant-type.js'
import { hashRefreshToken, deriveSuccessor } from './refresh-token-form.js'

/**
 * Rotates a refresh token (RFC 6749 §6, RFC 9700 §4.14.2). For ten seconds, each use of the same token gets the same successor: a web
 * app's tabs refresh independently. Later, while its successor is unused, the token gets a new one: a client can retry after a lost
 * response. Reuse of any other token revokes the family, since two parties have it. FAPI 2.0 clients keep their token, which is
 * bound to the client (FAPI 2.0 §5.3.2.1).
 */
export const refreshToken: GrantType<'refreshTokens' | 'revocations'> = {
  name: 'refresh_token',
  async issue (parts, request) {
    const { stores, tokens, server } = parts
    const { client, form, jkt, now } = request
    const token = single(form, 'refresh_token')
    if (token === undefined) throw parameterError('refresh_token', 'is missing')
    const use: RefreshTokenUse = {
      ...hashRefreshToken(token),
      clientId: client.id,
      jkt: boundKey(client, jkt),
      next: client.profile === 'fapi2' ? null : proposeNext(token),
      expiresAt: tokens.idleEnd(now),
      tokensEndAt: tokens.latestEnd(client, now),
      now
    }
    if (form.scope !== undefined || form.resource !== undefined) {
      // Before the rotation, so that a request for too much does not spend the token.
      const carried = await stores.refreshTokens.peek(use)
      if (carried.state === 'granted') readAccess(request, carried, server)
    }
    const used = await stores.refreshTokens.rotate(use)
    if (used.state !== 'granted') throw await refuse(parts, request, used)
    const { userId, grantId, sid } = used
    const { audience, scope } = readAccess(request, used, server)
    const content = { client, userId, audience, authentication: used, grantId, nonce: null, sid, scope, grantType: 'refresh_token', jkt }
    const response = await tokens.issue(content, now, used.notBefore)
    const next = used.salts.length === 0 ? {} : { refresh_token: used.salts.reduce(deriveSuccessor, token) }
    return { response: { ...response, ...next }, userId }
  }
}

/** The resource and the scope of the access token. @throws OAuthError `invalidTarget`, `invalidScope` */
function readAccess ({ client, form }: TokenRequest, granted: Refreshed, server: ServerResources) {
  const audience = refreshedResource(form, granted, server)
  // Access of administrators ends with its token, which is never refreshed.
  const reserved = reservedScopesOf(audience, server).filter(it => !isAdminScope(it))
  const scope = limitScope(narrowScope(form, granted.scope), client, reserved)
  return { audience, scope: grantableScope(audience === granted.audience ? scope : onlyReserved(scope), granted.withheld) }
}

function proposeNext (token: string): NonNullable<RefreshTokenUse['next']> {
  const salt = randomOpaqueToken()
  return { salt, hash: hashRefreshToken(deriveSuccessor(token, salt)).hash }
}

/** Reuse detection: a replaced token that is presented again revokes its family. */
async function refuse (
  { stores }: GrantParts<'revocations'>,
  { client, now }: TokenRequest,
  used: Exclude<TokenUse, { state: 'granted' }>
): Promise<OAuthError> {
  if (used.state === 'unusable') {
    return errors.invalidGrant('the refresh token is unknown, expired or revoked, or of another client or key, or its person is disabled',
      { client: client.id }
    )
  }
  await stores.revocations.add({ id: used.grantId, revokedAt: now })
  return errors.invalidGrant('a refresh token was reused: its family is revoked', { client: client.id, grant: used.grantId })
}
