import { createHash } from 'node:crypto'
import type { Client } from './client.js'
import { errors, parameterError } from './errors.js'
import { single, type Parameters } from './parameters.js'

/** Accepted code challenge methods (RFC 7636 §4.2); `plain` would reveal the verifier in the request. */
export const CODE_CHALLENGE_METHODS = ['S256'] as const

/** SHA-256 in base64url. */
const CHALLENGE = /^[\w-]{43}$/
const VERIFIER = /^[\w.~-]{43,128}$/

/**
 * The code challenge of an authorization request (RFC 7636 §4.3, RFC 9700 §2.1.1); empty if the client is allowed to omit it.
 * @throws OAuthError `invalidRequest` if it is missing or not made with S256
 */
export function readCodeChallenge (parameters: Parameters, client: Client): string {
  const challenge = single(parameters, 'code_challenge')
  if (challenge === undefined && single(parameters, 'code_challenge_method') === undefined && mayOmitPkce(client)) return ''
  if (challenge === undefined) throw errors.codeChallengeMissing('code_challenge is missing')
  if (single(parameters, 'code_challenge_method') !== 'S256') throw errors.codeChallengeMissing('code_challenge_method is not S256')
  if (!CHALLENGE.test(challenge)) throw errors.codeChallengeMissing('code_challenge is not a SHA-256 in base64url')
  return challenge
}

/** Whether a client can omit PKCE. A public client cannot: others could use its codes. */
function mayOmitPkce ({ pkce, tokenEndpointAuthMethod }: Pick<Client, 'pkce' | 'tokenEndpointAuthMethod'>): boolean {
  return pkce === 'optional' && tokenEndpointAuthMethod !== 'none'
}

/**
 * The code challenge for the verifier of a token request (RFC 7636 §4.5); empty if the client is allowed to omit it, which matches
 * only a code that was requested without a challenge (RFC 9700 §2.1.1).
 * @throws OAuthError `invalidRequest` if it is missing, `invalidGrant` if it is malformed
 */
export function readCodeVerifier (parameters: Parameters, client: Client): string {
  const verifier = single(parameters, 'code_verifier')
  if (verifier === undefined && mayOmitPkce(client)) return ''
  if (verifier === undefined) throw parameterError('code_verifier', 'is missing')
  if (!VERIFIER.test(verifier)) throw errors.invalidGrant('code_verifier does not have 43 to 128 unreserved characters')
  return codeChallengeOf(verifier)
}

/** The code challenge for a verifier, with S256. */
export function codeChallengeOf (verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}
