import { readAuthorization, MAX_TOKEN_LENGTH } from '@frontdesk/service-kit/access-token/authorization'
import { authorizationRepeated, tokenInvalid } from '../problems/access.js'

/** Whether a request's only `Authorization` header has the scheme DPoP (RFC 9449 §7.1). */
export function isDpop ([value, ...others]: readonly string[]): boolean {
  return others.length === 0 && /^dpop(?:\s|$)/i.test(value ?? '')
}

/**
 * Extracts the access token from a request's `Authorization` header.
 * @returns `null` if there is none, or it has another scheme
 * @throws ProblemError `authorization-repeated`, `token-invalid`
 */
export function parseAuthorization ([value, ...others]: readonly string[]): string | null {
  if (others.length > 0) throw authorizationRepeated('Send one Authorization header.')
  const sent = readAuthorization(value)
  if (sent === null) return null
  if ('token' in sent) return sent.token
  throw sent.fault === 'malformed'
    ? tokenInvalid(`The Authorization header must be ${sent.scheme}, a space and the token.`, { reason: 'malformed header' })
    : tokenInvalid(`The token is longer than ${MAX_TOKEN_LENGTH} bytes.`, { reason: 'too long' })
}
