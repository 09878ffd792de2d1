import type { Jwks } from '@frontdesk/schemas/jwks'
import { compactVerify, createLocalJWKSet, decodeJwt, errors } from 'jose'

interface IdTokenHint {
  /** The user's `sub`; `null`: unproven, because the token's key is no longer published. */
  readonly subject: string | null
  readonly clientId: string
  /** The session, as the client knows it; `null`: none, or unproven. */
  readonly sid: string | null
}

/** Reads an ID token of this server, expired or not; `null` if it is not one. */
export type ReadIdToken = (token: string) => Promise<IdTokenHint | null>

/** Makes the reader. @param published the public keys of all tokens */
export function createReadIdToken (published: () => Jwks, issuer: string): ReadIdToken {
  return async token => {
    try {
      const { protectedHeader: { typ } } = await compactVerify(token, createLocalJWKSet(published()))
      const { iss, sub, aud, sid } = decodeJwt(token)
      // An access token has another type (RFC 9068 §2.1).
      if (typ !== 'JWT' || iss !== issuer || typeof sub !== 'string' || typeof aud !== 'string') return null
      return { subject: sub, clientId: aud, sid: typeof sid === 'string' ? sid : null }
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) return claimedClient(token)
      if (error instanceof errors.JOSEError) return null
      throw error
    }
  }
}

function claimedClient (token: string): IdTokenHint | null {
  try {
    const { aud } = decodeJwt(token)
    return typeof aud === 'string' ? { subject: null, clientId: aud, sid: null } : null
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
