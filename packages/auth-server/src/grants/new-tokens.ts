import { isAdminScope } from '../oauth/admin-scopes.js'
import type { Client } from '../oauth/client.js'
import { reservedScopesOf } from '../oauth/resource.js'
import { grantableScope, limitScope, parseScope } from '../oauth/scope.js'
import type { Refreshed } from '../stores/grants/refresh-family.js'
import type { NewTokens } from '../stores/grants/token-insertion.js'
import type { TokenIssuer } from '../tokens/issue.js'
import type { GrantParts, Issued, TokenRequest } from './grant-type.js'
import { hashRefreshToken, makeRefreshToken } from './refresh-token-form.js'

/** The tokens that the exchange of a code creates, and the refresh token itself if the client can use one. */
export function tokensForCode (
  tokens: TokenIssuer,
  { client, jkt, now }: TokenRequest
): { newTokens: NewTokens, refreshToken: string | undefined } {
  const next = client.grantTypes.includes('refresh_token') ? makeRefreshToken() : undefined
  const endsAt = tokens.familyEnd(now)
  const refreshToken = next === undefined
    ? null
    : { ...hashRefreshToken(next), dpopJkt: boundKey(client, jkt) ?? null, expiresAt: tokens.idleEnd(now), endsAt }
  const grantEndsAt = tokens.end(client, refreshToken === null ? now : endsAt)
  return { newTokens: { refreshToken, grantEndsAt, tokensEndAt: tokens.latestEnd(client, now) }, refreshToken: next }
}

/** The key that refresh tokens are bound to (RFC 9449 §5). A client that authenticates can change its key: its tokens are not bound. */
export function boundKey ({ tokenEndpointAuthMethod }: Client, jkt: string | undefined): string | undefined {
  return tokenEndpointAuthMethod === 'none' ? jkt : undefined
}

/** Issues the tokens of a code that was exchanged. @param grantType of the access token */
export async function issueForCode (
  { tokens, server }: Pick<GrantParts, 'tokens' | 'server'>,
  { client, jkt, now }: TokenRequest,
  granted: Refreshed & { readonly nonce: string | null },
  { grantType, refreshToken }: { grantType: string, refreshToken: string | undefined }
): Promise<Issued> {
  const { userId, audience, grantId, nonce, sid, notBefore, withheld } = granted
  const scope = grantableScope(limitScope(parseScope(granted.scope), client, reservedScopesOf(audience, server)), withheld)
  const content = { client, userId, audience, authentication: granted, grantId, nonce, sid, scope, grantType, jkt }
  const answer = await tokens.issue(content, now, notBefore)
  // An administrator's access ends with the access token: the refresh token stays unknown to everyone.
  const keepsAccess = refreshToken !== undefined && !scope.some(isAdminScope)
  return { response: keepsAccess ? { ...answer, refresh_token: refreshToken } : answer, userId }
}

/** Revokes the grant of a code that was presented a second time, with all of its tokens. */
export async function revokeReused ({ stores }: GrantParts<'revocations'>, { now }: TokenRequest, grantId: string): Promise<void> {
  await stores.revocations.add({ id: grantId, revokedAt: now })
}
