import { parameterError } from './errors.js'
import { single, type Parameters } from './parameters.js'

/** A thumbprint: SHA-256 in base64url (RFC 7638 §3). */
const THUMBPRINT = /^[\w-]{43}$/

/**
 * The thumbprint of the key that a code is bound to (RFC 9449 §10); `null` without one.
 * @throws OAuthError `invalidRequest` if it is not a thumbprint
 */
export function readDpopJkt (parameters: Parameters): string | null {
  const jkt = single(parameters, 'dpop_jkt') ?? null
  if (jkt !== null && !THUMBPRINT.test(jkt)) throw parameterError('dpop_jkt', 'has an invalid value')
  return jkt
}
