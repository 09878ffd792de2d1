import { errors, parameterError, type OAuthError } from '../oauth/errors.js'
import { single } from '../oauth/parameters.js'
import { readCodeVerifier } from '../oauth/pkce.js'
import { readResource } from '../oauth/resource.js'
import { hashOpaqueToken } from '../sign-in/opaque-token.js'
import type { CodeExchange } from '../stores/grants/code-exchange.js'
import { issueForCode, tokensForCode, revokeReused } from './new-tokens.js'
import type { GrantParts, GrantType, TokenRequest } from './grant-type.js'

/** Exchanges a single-use code for tokens (RFC 6749 §4.1.3, RFC 7636 §4.5). Reuse revokes the grant. */
export const authorizationCode: GrantType<'codes' | 'revocations'> = {
  name: 'authorization_code',
  async issue (parts, request) {
    const { stores, tokens, server } = parts
    const { client, form, jkt, now } = request
    const code = single(form, 'code')
    if (code === undefined) throw parameterError('code', 'is missing')
    const exchange = {
      hash: hashOpaqueToken(code),
      clientId: client.id,
      codeChallenge: readCodeVerifier(form, client),
      redirectUri: single(form, 'redirect_uri'),
      audience: readResource(form, client, server),
      jkt
    }
    const { newTokens, refreshToken } = tokensForCode(tokens, request)

    const granted = await stores.codes.exchange(exchange, newTokens, now)
    if (granted === null) throw await invalidGrantError(parts, request, exchange)
    const details: Record<string, string> = exchange.codeChallenge === '' ? { pkce: 'none' } : {}
    return { ...await issueForCode(parts, request, granted, { grantType: 'authorization_code', refreshToken }), details }
  }
}

/** Reuse detection: a code that is presented twice revokes its grant. */
async function invalidGrantError (
  parts: GrantParts<'codes' | 'revocations'>, request: TokenRequest, exchange: CodeExchange
): Promise<OAuthError> {
  const kept = await parts.stores.codes.find(exchange)
  const facts = { client: request.client.id }
  if (kept !== null && kept.spentAt === null && exchange.audience !== undefined && exchange.audience !== kept.audience) {
    return errors.invalidTarget('resource was not granted', facts)
  }
  if (kept === null || kept.spentAt === null) {
    return errors.invalidGrant('the code is unknown, expired or revoked, or belongs to another client, callback, verifier or key',
      facts
    )
  }
  await revokeReused(parts, request, kept.grantId)
  return errors.invalidGrant('the code was used a second time: its grant is revoked', { ...facts, grant: kept.grantId })
}
