import { createHmac } from 'node:crypto'
import { hashOpaqueToken, randomOpaqueToken } from '../sign-in/opaque-token.js'

/** Length of a family's common prefix. */
const FAMILY_LENGTH = 43

/** The stored hashes of a refresh token: SHA-256, base64url. */
interface RefreshTokenHashes {
  readonly hash: string
  /** Hash of the prefix, by which reuse detection finds the family of a spent token. */
  readonly familyHash: string
}

/** Makes the first refresh token of a family, with 256 random bits. */
export function makeRefreshToken (): string {
  return randomOpaqueToken() + randomOpaqueToken()
}

/**
 * The successor of a token: HMAC-SHA-256, keyed by the token, over a random salt. With the stored salt, every replica derives the
 * same successor from the presented token; the database alone cannot.
 */
export function deriveSuccessor (token: string, salt: string): string {
  return token.slice(0, FAMILY_LENGTH) + createHmac('sha256', token).update(salt).digest('base64url')
}

export function hashRefreshToken (token: string): RefreshTokenHashes {
  return { hash: hashOpaqueToken(token), familyHash: hashOpaqueToken(token.slice(0, FAMILY_LENGTH)) }
}
