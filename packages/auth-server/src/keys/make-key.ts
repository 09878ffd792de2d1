import type { SigningAlg } from '@frontdesk/schemas/jwks'
import { createSigner } from 'fast-jwt'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import { createPrivateKey, type JsonWebKeyInput } from 'node:crypto'
import type { StoredKey } from '../stores/operation/signing-keys.js'
import { seal } from './seal.js'

/** Makes a key pair. Its id is its thumbprint (RFC 7638), which never begins with `-`: the CLI would parse it as an option. */
export async function makeKey (
  alg: SigningAlg,
  sealingKey: Uint8Array
): Promise<Pick<StoredKey, 'kid' | 'alg' | 'publicJwk' | 'privateJwe'>> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const publicJwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(publicJwk)
  if (kid.startsWith('-')) return await makeKey(alg, sealingKey)
  return {
    kid,
    alg,
    publicJwk: JSON.stringify({ ...publicJwk, kid, alg, use: 'sig' }),
    privateJwe: await seal(await exportJWK(privateKey), sealingKey)
  }
}

/** Signs claims as a JWT (RFC 7519). */
export type Signer = (claims: object, typ: string) => string

/** Makes the signer of a private key. It is twice as fast as Web Crypto. */
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
