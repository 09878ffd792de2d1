import { createLocalJWKSet, type JSONWebKeySet, type JWK } from 'jose'

/**
 * Finds the key of a signature in a set. Keys of the curve Ed25519 fit both names of the algorithm, whichever the set gives: a
 * signer and its key set are seldom updated at once (RFC 9864 §2.2).
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
