import { decodeJwt, decodeProtectedHeader, errors } from 'jose'
import { ACCESS_TOKEN_TYPE } from '@frontdesk/schemas/access-token'
import { signingAlgs } from '@frontdesk/schemas/jwks'
import { joinOr } from '@frontdesk/service-kit/join-or'
import type { Auth } from '../../config.js'
import { short } from '@frontdesk/service-kit/doctor/explain'
import type { ProblemError } from '../../problems/define.js'
import { CLOCK_LEEWAY_S } from '@frontdesk/service-kit/clock-leeway'

/** Explains why the verifier rejects a token, and what to do. */
export function explainRejection (auth: Auth, token: string, { cause, reason = '' }: ProblemError): [sentence: string, remedy: string] {
  const { header, claims } = decode(token)
  const time = (claim: unknown) => typeof claim === 'number' ? new Date(claim * 1_000).toISOString() : 'an invalid time'
  const shown = (value: unknown) => short(JSON.stringify(value) ?? 'missing')
  const again = 'Sign in again, and use the new token.'
  const { claim } = cause instanceof errors.JWTClaimValidationFailed || cause instanceof errors.JWTExpired ? cause : { claim: '' }
  const now = `and it is ${new Date().toISOString()} here`
  const rules: Array<[isCause: boolean, reason: string, remedy: string]> = [
    [cause instanceof errors.JWTExpired, `it expired at ${time(claims.exp)}, ${now}`,
      `${again} If it is new, see the clocks above; ${CLOCK_LEEWAY_S} s are allowed.`],
    [cause instanceof errors.JOSEAlgNotAllowed, `it is signed with ${shown(header.alg)}, and SIGNING_ALGS is ${auth.algorithms.join(',')}`,
      `Add the algorithm to SIGNING_ALGS if the authorization server uses it and it is ${joinOr(signingAlgs)}.`],
    [cause instanceof errors.JWKSNoMatchingKey, `its key (kid ${shown(header.kid)}) is not at ${auth.jwksUrl}`,
      `The token is from another authorization server, or its key was retired. ${again}`],
    [cause instanceof errors.JWSSignatureVerificationFailed, 'its signature is wrong', `The token was changed or truncated. ${again}`],
    [claim === 'iss', `its iss is ${shown(claims.iss)}, and ISSUER is ${shown(auth.issuer)}`,
      'Set ISSUER to its iss, byte for byte, if that is the authorization server to trust.'],
    [claim === 'aud', `its aud is ${shown(claims.aud)}, and AUDIENCE is ${shown(auth.audience)}`,
      'The token is for another service. Set DEFAULT_AUDIENCE of auth-server to AUDIENCE, or let the client request it with resource.'],
    [claim === 'typ', `its typ is ${shown(header.typ)}, but access tokens have ${shown(ACCESS_TOKEN_TYPE)} (RFC 9068 §2.1)`,
      'Send the access token, not an ID token or a refresh token.'],
    [claim === 'nbf' || reason === 'iat is in the future',
      `it is not valid before ${time(claim === 'nbf' ? claims.nbf : claims.iat)}, ${now}`,
      `See the clocks above; ${CLOCK_LEEWAY_S} s are allowed.`]
  ]
  const [, why, remedy] = rules.find(([isCause]) => isCause) ?? [true, short(reason), `Copy the whole token. ${again}`]
  return [`The token is refused: ${why}.`, remedy]
}

/** Decodes a token without verifying it. */
function decode (token: string) {
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) }
  } catch {
    return { header: {}, claims: {} }
  }
}
