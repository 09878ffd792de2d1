import { authorizationRepeated, tokenInvalid } from '../problems/access.js'

/** Longer tokens are rejected unread: verification costs time, and no token for this service is that long. */
const MAX_TOKEN_BYTES = 8192

/** Whether the `Authorization` header field of a request has the scheme DPoP (RFC 9449 §7.1). */
export function isDpop ([value = '']: string[]): boolean {
  return /^dpop(?:\s|$)/i.test(value)
}

/** Extracts the access token of the scheme DPoP. @throws ProblemError `token-invalid` */
export function parseDpop ([value = '']: string[]): string {
  return tokenOf(value, 'DPoP')
}

/**
 * Extracts the access token from the `Authorization` header fields of a request (RFC 6750 §2.1).
 * @returns `null` if there is none, or one of another scheme
 * @throws ProblemError `authorization-repeated`, `token-invalid`
 */
export function parseAuthorization (values: string[]): string | null {
  const [value, ...others] = values
  if (others.length > 0) throw authorizationRepeated('Send one Authorization header.')
  if (value === undefined || !/^bearer(?:\s|$)/i.test(value)) return null
  return tokenOf(value, 'Bearer')
}

function tokenOf (value: string, scheme: string): string {
  const [, token] = /^\w+ +([A-Za-z0-9._~+/-]+=*)$/.exec(value) ?? []
  if (token === undefined) {
    throw tokenInvalid(`The Authorization header must be ${scheme}, a space and the token.`, { reason: 'malformed header' })
  }
  if (token.length > MAX_TOKEN_BYTES) throw tokenInvalid(`The token is longer than ${MAX_TOKEN_BYTES} bytes.`, { reason: 'too long' })
  return token
}
