import { TokenCache } from '@frontdesk/service-kit/access-token/token-cache'
import { ACCESS_TOKEN_TYPE, type AccessToken } from '@frontdesk/schemas/access-token'
import { revocationGroups } from '@frontdesk/schemas/revocations'
import { createLocalJWKSet, errors, jwtVerify } from 'jose'
import type { KeyRing } from '../keys/key-ring.js'

/** An access token of this server with a verified signature. */
interface VerifiedToken {
  readonly claims: AccessToken
  /** The groups that revoke it. */
  readonly groups: ReturnType<typeof revocationGroups>
}

/**
 * Makes the reader of this server's access tokens. It returns `null` for an invalid or expired token, but does not check whether it was
 * revoked. Caches verified tokens (LRU, by SHA-256) until the published keys change.
 */
export function createReadAccessToken (
  { keys, issuer }: { keys: Pick<KeyRing, 'jwks'>, issuer: string }
): (token: string, now: Date) => Promise<VerifiedToken | null> {
  let cache = new TokenCache<VerifiedToken>()
  let jwks: ReturnType<KeyRing['jwks']> | undefined
  let findKey: ReturnType<typeof createLocalJWKSet>

  return async (token, now) => {
    if (jwks !== keys.jwks()) {
      jwks = keys.jwks()
      // Imports each key once.
      findKey = createLocalJWKSet(jwks)
      cache = new TokenCache()
    }
    // If the keys change during the verification, the result goes to the old cache, which is discarded.
    const current = cache
    const known = current.get(token)
    if (known !== undefined) return known.claims.exp > now.getTime() / 1_000 ? known : null
    try {
      const { payload: claims } = await jwtVerify<AccessToken>(token, findKey, { issuer, typ: ACCESS_TOKEN_TYPE, currentDate: now })
      const verified = { claims, groups: revocationGroups(claims) }
      current.set(token, verified)
      return verified
    } catch (error) {
      if (error instanceof errors.JOSEError) return null
      throw error
    }
  }
}
