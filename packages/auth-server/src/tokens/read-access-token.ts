import { ACCESS_TOKEN_TYPE, type AccessToken } from '@frontdesk/schemas/access-token'
import { createLocalJWKSet, errors, jwtVerify } from 'jose'
import type { KeyRing } from '../keys/key-ring.js'

/** The claims of a valid access token of this server; `null` if it is invalid or expired. */
export async function readAccessToken (token: string, { keys, issuer }: { keys: Pick<KeyRing, 'jwks'>, issuer: string }, now: Date): Promise<AccessToken | null> {
  try {
    const { payload } = await jwtVerify<AccessToken>(token, createLocalJWKSet(keys.jwks()), { issuer, typ: ACCESS_TOKEN_TYPE, currentDate: now })
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
