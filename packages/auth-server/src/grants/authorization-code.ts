import { parameterError, oauthError, type OAuthError } from '../oauth/errors.js'
import { single } from '../oauth/parameters.js'
import { readCodeVerifier } from '../oauth/pkce.js'
import { parseScope } from '../oauth/scope.js'
import { hashOpaqueToken } from '../sign-in/opaque-token.js'
import type { CodeExchange } from '../stores/code-exchange.js'
import type { GrantParts, GrantType, TokenRequest } from './grant-type.js'
import { hashRefreshToken, makeRefreshToken } from './refresh-token-form.js'

/** Exchanges a single-use code for tokens (RFC 6749 §4.1.3, RFC 7636 §4.5). Reuse revokes the grant. */
export const authorizationCode: GrantType = {
  name: 'authorization_code',
  async issue (parts, request) {
    const { stores, tokens } = parts
    const { client, form, now } = request
    const code = single(form, 'code')
    if (code === undefined) throw parameterError('code', 'is missing')
    const exchange = {
      hash: hashOpaqueToken(code),
      clientId: client.id,
      codeChallenge: readCodeVerifier(form, client),
      redirectUri: single(form, 'redirect_uri'),
      audience: single(form, 'resource')
    }
    const next = client.grantTypes.includes('refresh_token') ? makeRefreshToken() : undefined
    const endsAt = tokens.familyEnd(now)
    const refreshToken = next === undefined ? null : { ...hashRefreshToken(next), expiresAt: tokens.idleEnd(now), endsAt }
    const grantEndsAt = tokens.end(client, refreshToken === null ? now : endsAt)

    const granted = await stores.codes.exchange(exchange, { refreshToken, grantEndsAt }, now)
    if (granted === null) throw await invalidGrantError(parts, request, exchange)
    const { userId: subject, audience, authTime, grantId, nonce } = granted
    const scope = parseScope(granted.scope)
    const content = { client, subject, audience, authTime, grantId, nonce, scope, grantType: 'authorization_code' }
    const answer = await tokens.issue(content, now, granted.notBefore)
    const details: Record<string, string> = exchange.codeChallenge === '' ? { pkce: 'none' } : {}
    return { answer: next === undefined ? answer : { ...answer, refresh_token: next }, userId: subject, details }
  }
}

/** Reuse detection: a code that is presented twice revokes its grant. */
async function invalidGrantError (
  { stores, tokens }: GrantParts,
  { client, now }: TokenRequest,
  exchange: CodeExchange
): Promise<OAuthError> {
  const spent = await stores.codes.findSpent(exchange)
  const facts = { client: client.id }
  if (spent === null) {
    return oauthError(
      'invalidGrant',
      'the code is unknown, expired or revoked, or belongs to another client, callback, verifier or resource',
      facts
    )
  }
  await stores.revocations.add({ id: spent.grantId, revokedAt: now, endsAt: tokens.end(client, tokens.familyEnd(now)) })
  return oauthError('invalidGrant', 'the code was used a second time: its grant is revoked', { ...facts, grant: spent.grantId })
}
