import { errors, parameterError, type OAuthError } from '../oauth/errors.js'
import { single } from '../oauth/parameters.js'
import { assertResource } from '../oauth/resource.js'
import { grantableScope, limitScope, narrowScope } from '../oauth/scope.js'
import { randomOpaqueToken } from '../sign-in/opaque-token.js'
import type { RefreshTokenUse, TokenUse } from '../stores/grants/refresh-family.js'
import { boundKey } from './new-tokens.js'
import type { GrantParts, GrantType, TokenRequest } from './grant-type.js'
import { hashRefreshToken, succeed } from './refresh-token-form.js'

/**
 * Rotates a refresh token (RFC 6749 §6, RFC 9700 §4.14.2). Within ten seconds of its first use every use has the same successor:
 * the tabs of an app do not know of each other. Later it works again while its successor is unused, which it replaces: a client
 * can retry after a lost response. Reuse of any other token revokes the family: two parties have it. A client of FAPI 2.0 keeps
 * its token: it is bound to the client (FAPI 2.0 §5.3.2.1).
 */
export const refreshToken: GrantType<'refreshTokens' | 'revocations'> = {
  name: 'refresh_token',
  async issue (parts, request) {
    const { stores, tokens } = parts
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
      // Before the rotation: a request for too much does not spend the token.
      const carried = await stores.refreshTokens.peek(use)
      if (carried.state === 'granted') {
        narrowScope(form, carried.scope)
        assertResource(form, carried.audience)
      }
    }
    const used = await stores.refreshTokens.rotate(use)
    if (used.state !== 'granted') throw await refuse(parts, request, used)
    const { userId, audience, authTime, grantId, sid } = used
    const scope = grantableScope(limitScope(narrowScope(form, used.scope), client), used.withheld)
    const content = { client, userId, audience, authTime, grantId, nonce: null, sid, scope, grantType: 'refresh_token', jkt }
    const answer = await tokens.issue(content, now, used.notBefore)
    return { answer: used.salts.length === 0 ? answer : { ...answer, refresh_token: used.salts.reduce(succeed, token) }, userId }
  }
}

function proposeNext (token: string): NonNullable<RefreshTokenUse['next']> {
  const salt = randomOpaqueToken()
  return { salt, hash: hashRefreshToken(succeed(token, salt)).hash }
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
