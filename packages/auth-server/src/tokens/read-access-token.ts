import { ACCESS_TOKEN_TYPE, type AccessToken } from '@frontdesk/schemas/access-token'
import { revocationGroups } from '@frontdesk/schemas/revocations'
import { createLocalJWKSet, errors, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import { hash } from 'node:crypto'
import type { KeyRing } from '../keys/key-ring.js'

/** Most verified tokens in the cache: about 10 MB. */
const CAPACITY = 10_000

/** An access token of this server whose signature was verified. */
export interface VerifiedToken {
  readonly claims: AccessToken
  /** The groups that it can be revoked with. */
  readonly groups: ReturnType<typeof revocationGroups>
}

/** Reads an access token of this server; `null` if it is invalid or expired. Whether it was revoked is for the database to say. */
export type ReadAccessToken = (token: string, now: Date) => Promise<VerifiedToken | null>

/** Makes the reader. It verifies the signature of a token once (LRU, by SHA-256), until the published keys change. */
export function createReadAccessToken ({ keys, issuer }: { keys: Pick<KeyRing, 'jwks'>, issuer: string }): ReadAccessToken {
  const cache = new LRUCache<string, VerifiedToken>({ max: CAPACITY })
  let jwks: ReturnType<KeyRing['jwks']> | undefined
  let findKey: ReturnType<typeof createLocalJWKSet>

  return async (token, now) => {
    if (jwks !== keys.jwks()) {
      jwks = keys.jwks()
      // Imports each key once.
      findKey = createLocalJWKSet(jwks)
      cache.clear()
    }
    const digest = hash('sha256', token, 'base64')
    const known = cache.get(digest)
    if (known !== undefined) return known.claims.exp > now.getTime() / 1_000 ? known : null
    const published = jwks
    try {
      const { payload: claims } = await jwtVerify<AccessToken>(token, findKey, { issuer, typ: ACCESS_TOKEN_TYPE, currentDate: now })
      const verified = { claims, groups: revocationGroups(claims) }
      if (published === jwks) cache.set(digest, verified)
      return verified
    } catch (error) {
      if (error instanceof errors.JOSEError) return null
      throw error
    }
  }
}
