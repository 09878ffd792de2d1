import { createHmac } from 'node:crypto'
import { hashOpaqueToken, randomOpaqueToken } from '../sign-in/opaque-token.js'
import type { PresentedToken } from '../stores/grants/refresh-family.js'

/** Length of a family's common prefix. */
const FAMILY_LENGTH = 43

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

/** The stored hashes of a refresh token. Reuse detection finds the family of a spent token by the hash of its prefix. */
export function hashRefreshToken (token: string): PresentedToken {
  return { hash: hashOpaqueToken(token), familyHash: hashOpaqueToken(token.slice(0, FAMILY_LENGTH)) }
}
