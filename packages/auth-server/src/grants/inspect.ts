import type { AccessToken } from '@frontdesk/schemas/access-token'
import type { Client } from '../oauth/client.js'
import type { KeyRing } from '../keys/key-ring.js'
import type { Grants } from '../stores/grants/grants.js'
import type { RefreshToken } from '../stores/grants/refresh-tokens.js'
import type { Stores } from '../stores/stores.js'
import { createReadAccessToken } from '../tokens/read-access-token.js'
import { hashRefreshToken } from './refresh-token-form.js'

/** An active token: an access token or a refresh token. */
export type LiveToken = { readonly access: AccessToken } | { readonly refresh: RefreshToken }

/** Looks up a token; `null` if it is unknown, expired, spent or revoked. */
export type Inspect = (token: string, now: Date) => Promise<LiveToken | null>

/** The user id of an access token. A pairwise `sub` does not contain it, but the grant does; `null` if that was removed. */
export async function findUserId (
  { sub, grant_id: grantId, jti }: AccessToken,
  { sectorIdentifier }: Pick<Client, 'sectorIdentifier'>,
  grants: Pick<Grants, 'findUserId'>
): Promise<string | null> {
  return sectorIdentifier === null ? sub : await grants.findUserId(grantId ?? jti)
}

/** Makes the lookup. */
export function createInspect (parts: {
  stores: Pick<Stores, 'refreshTokens' | 'revocations'>
  keys: Pick<KeyRing, 'jwks'>
  issuer: string
}): Inspect {
  const { refreshTokens, revocations } = parts.stores
  const readAccessToken = createReadAccessToken(parts)
  return async (token, now) => {
    // The format identifies the kind; token_type_hint is only an optimization (RFC 7009 §2.1).
    if (!token.includes('.')) {
      const refresh = await refreshTokens.find(hashRefreshToken(token), now)
      return refresh === null ? null : { refresh }
    }
    const verified = await readAccessToken(token, now)
    if (verified === null) return null
    return await revocations.covers(verified.claims, verified.groups) ? null : { access: verified.claims }
  }
}
