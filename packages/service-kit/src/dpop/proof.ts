import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify, type JWK, decodeJwt, decodeProtectedHeader, errors } from 'jose'
import { hash } from 'node:crypto'
import type { Nonces } from './nonces.js'

/** Maximum length of a proof. */
const MAX_PROOF = 4_096

/** Maximum age of a proof, and how far its client's clock can be ahead. */
const MAX_AGE_S = 300
const MAX_AHEAD_S = 60

/** The request of a proof. */
export interface ProvenRequest {
  readonly method: string
  /** Public address, without the query. */
  readonly url: string
  /** The access token of the request, if it has one. */
  readonly accessToken?: string
}

/** A rejected proof. `message` is a sentence for the client, without values of the request. */
export class ProofError extends Error {
  /** RFC 9449 §5, §8. */
  readonly code: 'invalid_dpop_proof' | 'use_dpop_nonce'

  constructor (code: ProofError['code'], sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.code = code
  }
}

interface ProofParts {
  readonly nonces: Nonces
  /** Stores a proof's hash. Atomic: exactly one concurrent caller gets `true`. */
  readonly remember: (hash: string, expiresAt: Date) => Promise<boolean>
}

/**
 * Checks a proof and marks it as used: each is accepted once. Returns the thumbprint of its key (RFC 7638).
 * @throws ProofError
 */
export type CheckProof = (proof: string, request: ProvenRequest, now: Date) => Promise<string>

/**
 * Creates the check of DPoP proofs (RFC 9449 §4.3), for times of the database's clock. A proof needs a nonce, whose lifetime
 * limits how long its hash is stored.
 */
export function createCheckProof ({ nonces, remember }: ProofParts): CheckProof {
  return async (proof, request, now) => {
    const { jkt, jti, nonce } = await readProof(proof, request, now)
    if (!nonces.has(nonce, now)) {
      throw new ProofError('use_dpop_nonce', `The DPoP proof has ${nonce === undefined ? 'no nonce' : 'an expired or unknown nonce'}.`)
    }
    if (!await remember(hash('sha256', `dpop ${jkt} ${jti}`, 'base64url'), nonces.expiry(now))) {
      throw invalidError('The DPoP proof was used before. Make one for each request.')
    }
    return jkt
  }
}

/** Verifies a proof, except for its nonce and earlier use. @throws ProofError `invalid_dpop_proof` */
async function readProof (proof: string, { method, url, accessToken }: ProvenRequest, now: Date) {
  if (proof.length > MAX_PROOF) throw invalidError(`The DPoP proof is longer than ${MAX_PROOF} characters.`)
  const { protectedHeader, payload } = await jwtVerify(proof, EmbeddedJWK, {
    typ: 'dpop+jwt', algorithms: DPOP_ALGS, clockTolerance: MAX_AHEAD_S, currentDate: now
  // Any error is due to the caller's input, even if it is not one of jose.
  }).catch(cause => { throw invalidError(explainUnreadable(proof, cause), { cause }) })
  const { jti, iat, htm, htu, ath, nonce } = payload
  if (typeof jti !== 'string' || jti === '') throw invalidError('The DPoP proof has no jti.')
  if (iat === undefined) throw invalidError('The DPoP proof has no iat.')
  const age = now.getTime() / 1_000 - iat
  if (age > MAX_AGE_S) throw invalidError(`The DPoP proof is older than ${MAX_AGE_S} seconds, by its iat and the clock of this server.`)
  if (age < -MAX_AHEAD_S) throw invalidError('The iat of the DPoP proof is in the future, by the clock of this server.')
  if (htm !== method) throw invalidError('The htm of the DPoP proof is not the method of the request.')
  if (typeof htu !== 'string' || normalizeAddress(htu) !== normalizeAddress(url)) {
    throw invalidError('The htu of the DPoP proof is not the public address of the request.')
  }
  if (accessToken !== undefined && ath !== hash('sha256', accessToken, 'base64url')) {
    throw invalidError('The ath of the DPoP proof is not the hash of the access token.')
  }
  // as: EmbeddedJWK has read it.
  const jkt = await calculateJwkThumbprint(protectedHeader.jwk as JWK)
  return { jkt, jti, nonce: typeof nonce === 'string' ? nonce : undefined }
}

function invalidError (sentence: string, options?: ErrorOptions): ProofError {
  return new ProofError('invalid_dpop_proof', sentence, options)
}

/** Normalizes a URL for comparison, without query and fragment (RFC 9449 §4.3); `undefined` if it is invalid. */
function normalizeAddress (text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  url.search = url.hash = ''
  return url.href
}

/** Explains why jose rejects a proof (RFC 9449 §4.3), without values of the proof. */
function explainUnreadable (proof: string, error: unknown): string {
  // Node.js joins repeated headers with commas, which proofs do not contain.
  if (proof.includes(',')) return 'The request has more than one DPoP proof.'
  if (!isJwt(proof)) return 'The DPoP proof is not a JWT.'
  if (error instanceof errors.JOSEAlgNotAllowed) return `The alg of the DPoP proof must be ${DPOP_ALGS.join(', ')}.`
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'The DPoP proof is not signed with the key in its jwk.'
  if (error instanceof errors.JWTExpired) return 'The DPoP proof has expired: its exp is past.'
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.claim === 'typ'
      ? 'The typ of the DPoP proof must be dpop+jwt.'
      : `The claim ${error.claim} of the DPoP proof is not valid now.`
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

/** Algorithms of DPoP proofs: `Ed25519` is the name that RFC 9864 gives to EdDSA with that curve. */
export const DPOP_ALGS = ['ES256', 'EdDSA', 'Ed25519']
