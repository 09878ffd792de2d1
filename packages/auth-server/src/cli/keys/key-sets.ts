import { ID_TOKEN_ALGS } from '../../oauth/id-token-algs.js'
import type { SigningKeys } from '../../stores/signing-keys.js'
import type { Stores } from '../../stores/stores.js'

/** Keys that follow each other, and what they sign. */
export interface KeySet { readonly signs: 'access tokens' | 'ID tokens', readonly keys: SigningKeys }

/** The keys of access tokens, then those of ID tokens, by algorithm. */
export async function keySets ({ signingKeys, idTokenKeys }: Pick<Stores, 'signingKeys' | 'idTokenKeys'>): Promise<KeySet[]> {
  const made = await idTokenKeys.made()
  return [
    { signs: 'access tokens', keys: signingKeys },
    ...ID_TOKEN_ALGS.filter(alg => made.includes(alg)).map(alg => ({ signs: 'ID tokens', keys: idTokenKeys.of(alg) } as const))
  ]
}
