import type { Jwks } from '@frontdesk/schemas/jwks'
import type { IdTokenSigner } from './id-token-signer.js'
import type { KeyRing } from './key-ring.js'

/** Makes a function that returns the public keys of all tokens: the same object until they change. */
export function publishKeys (keys: Pick<KeyRing, 'jwks'>, idTokens: Pick<IdTokenSigner, 'keys'>): () => Jwks {
  let published: Jwks = { keys: [] }
  return () => {
    const all = [...keys.jwks().keys, ...idTokens.keys()]
    if (all.length !== published.keys.length || all.some((key, index) => key !== published.keys[index])) published = { keys: all }
    return published
  }
}
