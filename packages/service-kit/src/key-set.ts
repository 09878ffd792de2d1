import { createLocalJWKSet, type JSONWebKeySet, type JWK } from 'jose'

/**
 * Creates a function that finds a signature's key. Ed25519 keys match both names of the algorithm (RFC 9864 §2.2), because a
 * signer and its key set are rarely updated at the same time.
 */
export function createKeySet ({ keys }: JSONWebKeySet): ReturnType<typeof createLocalJWKSet> {
  return createLocalJWKSet({ keys: keys.map(key => isEd25519(key) ? withoutAlg(key) : key) })
}

function withoutAlg ({ alg: _, ...key }: JWK): JWK {
  return key
}

function isEd25519 ({ kty, crv, alg }: JWK): boolean {
  return kty === 'OKP' && crv === 'Ed25519' && (alg === 'EdDSA' || alg === 'Ed25519')
}
