import { parameterError, oauthError, type OAuthError } from '../oauth/errors.js'
import { single } from '../oauth/parameters.js'
import { assertResource } from '../oauth/resource.js'
import { grantableScope, limitScope, narrowScope } from '../oauth/scope.js'
import type { PresentedToken } from '../stores/refresh-tokens.js'
import { boundKey } from './code-yield.js'
import type { GrantParts, GrantType, TokenRequest } from './grant-type.js'
import { hashRefreshToken, makeRefreshToken } from './refresh-token-form.js'

/**
 * Rotates a refresh token (RFC 6749 §6, RFC 9700 §4.14.2). A spent token works again while its successor is unused, which it
 * replaces: a client can retry after a lost response. Reuse of any other spent token, or of a replaced successor, revokes the
 * family: two parties have it. A client of FAPI 2.0 keeps its token: it is bound to the client (FAPI 2.0 §5.3.2.1).
 */
export const refreshToken: GrantType = {
  name: 'refresh_token',
  async issue (parts, request) {
    const { stores, tokens } = parts
    const { client, form, jkt, now } = request
    const token = single(form, 'refresh_token')
    if (token === undefined) throw parameterError('refresh_token', 'is missing')
    const presented = hashRefreshToken(token)
    const next = client.profile === 'fapi2' ? undefined : makeRefreshToken(token)
    const use = {
      ...presented,
      clientId: client.id,
      jkt: boundKey(client, jkt),
      next: next === undefined ? null : hashRefreshToken(next).hash,
      expiresAt: tokens.idleEnd(now),
      now
    }
    if (single(form, 'scope') !== undefined || single(form, 'resource') !== undefined) {
      // Before the rotation: a request for too much does not spend the token.
      const carried = await stores.refreshTokens.peek(use)
      if (carried !== null) {
        narrowScope(form, carried.scope)
        assertResource(form, carried.audience)
      }
    }
    const granted = await stores.refreshTokens.rotate(use)
    if (granted === null) throw await invalidGrantError(parts, request, presented)
    const { userId, audience, authTime, grantId, sid } = granted
    const scope = grantableScope(limitScope(narrowScope(form, granted.scope), client), granted.withheld)
    const content = { client, userId, audience, authTime, grantId, nonce: null, sid, scope, grantType: 'refresh_token', jkt }
    const answer = await tokens.issue(content, now, granted.notBefore)
    return { answer: next === undefined ? answer : { ...answer, refresh_token: next }, userId }
  }
}

/** Reuse detection: a spent token that is presented again revokes its family. */
async function invalidGrantError (
  { stores, tokens }: GrantParts,
  { client, now }: TokenRequest,
  presented: PresentedToken
): Promise<OAuthError> {
  const reused = await stores.refreshTokens.findReused(presented, client.id, now)
  if (reused === null) {
    return oauthError(
      'invalidGrant',
      'the refresh token is unknown, expired or revoked, or of another client or key, or its person is disabled',
      { client: client.id }
    )
  }
  await stores.revocations.add({ id: reused.grantId, revokedAt: now, endsAt: tokens.end(client, reused.endsAt) })
  return oauthError('invalidGrant', 'a spent refresh token was used: its family is revoked', { client: client.id, grant: reused.grantId })
}
