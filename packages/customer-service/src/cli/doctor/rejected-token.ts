import { decodeJwt, decodeProtectedHeader, errors } from 'jose'
import { ACCESS_TOKEN_TYPE } from '@frontdesk/schemas/access-token'
import type { Auth } from '../../config.js'
import { short } from '@frontdesk/service-kit/doctor/explain'
import type { ProblemError } from '../../problems/define.js'
import { CLOCK_LEEWAY_S } from '../../lifetimes.js'

/** Explains why the verifier rejects a token, and what to do. */
export function explainRejection (auth: Auth, token: string, { cause, reason = '' }: ProblemError): [sentence: string, remedy: string] {
  const { header, claims } = decode(token)
  const time = (claim: unknown) => typeof claim === 'number' ? new Date(claim * 1_000).toISOString() : 'a time that is none'
  const told = (value: unknown) => short(JSON.stringify(value) ?? 'missing')
  const again = 'Sign in again, and use the new token.'
  const { claim } = cause instanceof errors.JWTClaimValidationFailed || cause instanceof errors.JWTExpired ? cause : { claim: '' }

  if (cause instanceof errors.JWTExpired) return [`The token is refused: it ended at ${time(claims.exp)}, and it is ${new Date().toISOString()} here.`, `${again} If it is new, see the clocks above; ${CLOCK_LEEWAY_S} s are allowed.`]
  if (cause instanceof errors.JOSEAlgNotAllowed) return [`The token is refused: it is signed with ${told(header.alg)}, and SIGNING_ALGS is ${auth.algorithms.join(',')}.`, 'Add its algorithm to SIGNING_ALGS if it is the one of the authorization server, and one of these: ES256, RS256, EdDSA.']
  if (cause instanceof errors.JWKSNoMatchingKey) return [`The token is refused: the key that it names (kid ${told(header.kid)}) is not at ${auth.jwksUrl}.`, `It is from another authorization server, or older than the keys. ${again}`]
  if (cause instanceof errors.JWSSignatureVerificationFailed) return ['The token is refused: its signature is wrong.', `It was changed or cut on its way. ${again}`]
  if (claim === 'iss') return [`The token is refused: its iss is ${told(claims.iss)}, and ISSUER is ${told(auth.issuer)}.`, 'Set ISSUER to its iss, byte for byte, if that is the authorization server to trust.']
  if (claim === 'aud') return [`The token is refused: its aud is ${told(claims.aud)}, and AUDIENCE is ${told(auth.audience)}.`, 'It is for another service. Set DEFAULT_AUDIENCE of auth-server to AUDIENCE, or let the app ask for it with resource.']
  if (claim === 'typ') return [`The token is refused: its typ is ${told(header.typ)}, and an access token's is ${told(ACCESS_TOKEN_TYPE)} (RFC 9068 §2.1).`, 'Send the access token, and not an ID token or a refresh token.']
  if (claim === 'nbf' || reason === 'iat is in the future') return [`The token is refused: it begins at ${time(claim === 'nbf' ? claims.nbf : claims.iat)}, and it is ${new Date().toISOString()} here.`, `See the clocks above; ${CLOCK_LEEWAY_S} s are allowed.`]
  return [`The token is refused: ${short(reason)}.`, `Copy all of it, from the first character to the last. ${again}`]
}

/** Decodes a token without verifying it. */
function decode (token: string) {
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) }
  } catch {
    return { header: {}, claims: {} }
  }
}
