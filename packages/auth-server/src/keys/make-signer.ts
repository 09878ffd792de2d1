import { createSigner } from 'fast-jwt'
import type { JWK } from 'jose'
import { createPrivateKey, type JsonWebKeyInput } from 'node:crypto'
import type { StoredKey } from '../stores/signing-keys.js'

/** Signs claims as a JWT (RFC 7519) of one type. */
export type Signer = (claims: object, typ: string) => string

/** Makes the signer of a private key. Twice as fast as Web Crypto. */
export function makeSigner ({ kid, alg }: Pick<StoredKey, 'kid' | 'alg'>, privateJwk: JWK): Signer {
  // as: both types describe the JWK that makeKey made.
  const key = createPrivateKey({ key: privateJwk as JsonWebKeyInput['key'], format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' })
  const signers = new Map<string, (claims: object) => string>()
  return (claims, typ) => {
    // as: the algorithms of the settings. fast-jwt knows Ed25519 by its older name only; the header has the newer one.
    const algorithm = (alg === 'Ed25519' ? 'EdDSA' : alg) as 'ES256'
    const sign = signers.get(typ) ?? createSigner({ key, algorithm, kid, header: { alg, typ } })
    signers.set(typ, sign)
    return sign(claims)
  }
}
