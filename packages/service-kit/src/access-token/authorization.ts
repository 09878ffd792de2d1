import { DPOP_ALGS } from '../dpop/proof.js'

/** Maximum length of an access token: longer ones are rejected without verification, which takes time. */
export const MAX_TOKEN_LENGTH = 8_192

/** The access token of an `Authorization` header, or why it is invalid. */
type SentToken = { readonly scheme: 'Bearer' | 'DPoP' } & ({ readonly token: string } | { readonly fault: 'malformed' | 'too long' })

/**
 * Reads the access token of an `Authorization` header (RFC 6750 §2.1, RFC 9449 §7.1).
 * @returns `null` without the header, or with another scheme
 */
export function readAuthorization (value: string | undefined): SentToken | null {
  const [, name] = /^(bearer|dpop)(?:\s|$)/i.exec(value ?? '') ?? []
  if (value === undefined || name === undefined) return null
  const scheme = name.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer'
  const [, token] = /^\w+ +([\w.~+/-]+=*)$/.exec(value) ?? []
  if (token === undefined) return { scheme, fault: 'malformed' }
  return token.length > MAX_TOKEN_LENGTH ? { scheme, fault: 'too long' } : { scheme, token }
}

/**
 * Formats a challenge of `WWW-Authenticate` (RFC 6750 §3, RFC 9449 §7.1). Omits parameters that are `undefined`.
 * @param parameters in order; values must not contain quotes and backslashes
 */
export function challenge (scheme: 'Bearer' | 'DPoP', parameters: Readonly<Record<string, string | undefined>>): string {
  const all = scheme === 'DPoP' ? { ...parameters, algs: DPOP_ALGS.join(' ') } : parameters
  const pairs = Object.entries(all).filter(([, value]) => value !== undefined).map(([name, value]) => `${name}="${value}"`)
  return `${scheme} ${pairs.join(', ')}`
}
