import { createHmac } from 'node:crypto'
import { hashOpaqueToken, randomOpaqueToken } from '../sign-in/opaque-token.js'

/** Length of the prefix that the tokens of a family share. */
const FAMILY_LENGTH = 43

/** The stored hashes of a refresh token: SHA-256, base64url. */
interface RefreshTokenHashes {
  readonly hash: string
  /** Hash of the prefix: reuse detection finds the family of any spent token. */
  readonly familyHash: string
}

/** Makes the first refresh token of a family, with 256 random bits. */
export function makeRefreshToken (): string {
  return randomOpaqueToken() + randomOpaqueToken()
}

/**
 * The successor of a token: HMAC-SHA-256, keyed by the token, over a random salt. With the stored salt, every replica makes the
 * same one of the presented token; the database alone cannot.
 */
export function succeed (token: string, salt: string): string {
  return token.slice(0, FAMILY_LENGTH) + createHmac('sha256', token).update(salt).digest('base64url')
}

/** Hashes a refresh token. */
export function hashRefreshToken (token: string): RefreshTokenHashes {
  return { hash: hashOpaqueToken(token), familyHash: hashOpaqueToken(token.slice(0, FAMILY_LENGTH)) }
}
