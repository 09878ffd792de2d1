import { hashOpaqueToken, randomOpaqueToken } from '../sign-in/opaque-token.js'

/** Length of the prefix that the tokens of a family share. */
const FAMILY_LENGTH = 43

/** The stored hashes of a refresh token: SHA-256, base64url. */
export interface RefreshTokenHashes {
  readonly hash: string
  /** Hash of the prefix: reuse detection finds the family of any spent token. */
  readonly familyHash: string
}

/** Makes a refresh token with 256 random bits: the next of a family, or the first. */
export function makeRefreshToken (previous?: string): string {
  return (previous?.slice(0, FAMILY_LENGTH) ?? randomOpaqueToken()) + randomOpaqueToken()
}

/** Hashes a refresh token. */
export function hashRefreshToken (token: string): RefreshTokenHashes {
  return { hash: hashOpaqueToken(token), familyHash: hashOpaqueToken(token.slice(0, FAMILY_LENGTH)) }
}
