import { hashOpaqueToken, randomOpaqueToken } from '../sign-in/opaque-token.js'

/** Characters that all refresh tokens of a family begin with; a token of earlier releases has no more. */
const FAMILY_LENGTH = 43

/** What is stored of a refresh token: SHA-256, base64url. */
export interface RefreshTokenHashes {
  readonly hash: string
  /** Recognizes the tokens of its family, however long ago they were spent. */
  readonly familyHash: string
}

/** Makes a refresh token: of the family of another, or the first of a family. 256 random bits each. */
export function makeRefreshToken (previous?: string): string {
  return (previous?.slice(0, FAMILY_LENGTH) ?? randomOpaqueToken()) + randomOpaqueToken()
}

/** Hashes a refresh token. */
export function hashRefreshToken (token: string): RefreshTokenHashes {
  return { hash: hashOpaqueToken(token), familyHash: hashOpaqueToken(token.slice(0, FAMILY_LENGTH)) }
}
