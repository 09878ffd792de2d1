import { decodeJwt, decodeProtectedHeader, errors } from 'jose'
import { DPOP_ALGS } from './algs.js'

/** Why jose does not accept a proof (RFC 9449 §4.3), in a sentence without a value of the proof. */
export function explainUnreadable (proof: string, error: unknown): string {
  // Node.js joins repeated fields with a comma, which no proof contains.
  if (proof.includes(',')) return 'The request has more than one DPoP proof.'
  if (!isJwt(proof)) return 'The DPoP proof is not a JWT.'
  if (error instanceof errors.JOSEAlgNotAllowed) return `The alg of the DPoP proof must be ${DPOP_ALGS.join(', ')}.`
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'The DPoP proof is not signed with the key in its jwk.'
  if (error instanceof errors.JWTExpired) return 'The DPoP proof has expired: its exp is past.'
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.claim === 'typ' ? 'The typ of the DPoP proof must be dpop+jwt.' : `The claim ${error.claim} of the DPoP proof is not valid now.`
  }
  return 'The jwk of the DPoP proof must be a public key that fits its alg.'
}

function isJwt (text: string): boolean {
  try {
    decodeProtectedHeader(text)
    decodeJwt(text)
    return true
  } catch {
    return false
  }
}
