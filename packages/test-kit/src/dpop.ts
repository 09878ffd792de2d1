import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose'
import { hash, randomUUID } from 'node:crypto'

/** A client's key for DPoP proofs (RFC 9449). */
export interface DpopKey {
  readonly alg: string
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  readonly publicJwk: JWK
  /** Thumbprint (RFC 7638). */
  readonly jkt: string
}

/** The request of a proof, and changes that make the proof invalid. */
export interface ProofContent {
  readonly method: string
  readonly url: string
  readonly nonce?: string | undefined
  readonly accessToken?: string | undefined
  /** Other header parameters and claims; `undefined` removes one. */
  readonly header?: Record<string, unknown>
  readonly claims?: Record<string, unknown>
}

export async function makeDpopKey (alg = 'ES256'): Promise<DpopKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const publicJwk = await exportJWK(publicKey)
  return { alg, privateKey, publicKey, publicJwk, jkt: await calculateJwkThumbprint(publicJwk) }
}

/** Signs a proof of a key (RFC 9449 §4.2). */
export async function signProof (key: DpopKey, { method, url, nonce, accessToken, header, claims }: ProofContent): Promise<string> {
  const content = {
    jti: randomUUID(),
    htm: method,
    htu: url,
    iat: Math.floor(Date.now() / 1_000),
    nonce,
    ath: accessToken === undefined ? undefined : hash('sha256', accessToken, 'base64url'),
    ...claims
  }
  return await new SignJWT(content)
    .setProtectedHeader({ typ: 'dpop+jwt', alg: key.alg, jwk: key.publicJwk, ...header }).sign(key.privateKey)
}
