import type { PublicJwk, SigningAlg } from '@frontdesk/schemas/jwks'
import { ID_TOKEN_ALGS } from '../oauth/id-token-algs.js'
import type { IdTokenKeys } from '../stores/operation/signing-keys.js'
import { openKeyRing, type KeyRing, type KeyRingOptions } from './key-ring.js'

/** Signs ID tokens. Each algorithm has a key ring, which is made soon after a client registers for it, or when it first signs. */
export interface IdTokenSigner {
  /**
   * Signs claims as a JWT.
   * @param typ default: `JWT`
   * @throws if the key cannot be decrypted; without a key, also if the database does not respond
   */
  sign (claims: object, alg: SigningAlg, typ?: string): Promise<string>
  /** Makes sure that `sign` has a key. Call it before spending anything that is exchanged for a token. @throws as `sign` does */
  ready (alg: SigningAlg): Promise<unknown>
  /** The public keys. */
  keys (): readonly PublicJwk[]
  /** Refreshes each key ring as {@link KeyRing.refresh} does, and makes those that clients need. */
  refresh (): ReturnType<KeyRing['refresh']>
}

/** Opens the existing key rings. @throws if SECRET_KEY is not the one that the keys were made with */
export async function openIdTokenSigner (store: IdTokenKeys, options: Omit<KeyRingOptions, 'signingAlg'>): Promise<IdTokenSigner> {
  const opening = new Map<SigningAlg, Promise<KeyRing>>()
  const rings = new Map<SigningAlg, KeyRing>()

  async function open (signingAlg: SigningAlg): Promise<KeyRing> {
    const begun = opening.get(signingAlg) ?? openKeyRing(store.of(signingAlg), { ...options, signingAlg })
    opening.set(signingAlg, begun)
    try {
      const ring = await begun
      rings.set(signingAlg, ring)
      return ring
    } catch (error) {
      opening.delete(signingAlg)
      throw error
    }
  }

  async function openAll (algs: readonly string[]): Promise<KeyRing[]> {
    return await Promise.all(ID_TOKEN_ALGS.filter(alg => algs.includes(alg)).map(open))
  }

  await openAll(await store.algsWithKeys())

  return {
    sign: async (claims, alg, typ = 'JWT') => (rings.get(alg) ?? await open(alg)).sign(claims, typ),
    ready: async alg => rings.get(alg) ?? await open(alg),
    keys: () => ID_TOKEN_ALGS.flatMap(alg => rings.get(alg)?.jwks().keys ?? []),
    async refresh () {
      // Separately: one key that cannot be decrypted must not block the rotation of others.
      const outcomes = await Promise.allSettled([...rings.values()].map(ring => ring.refresh()))
      await openAll([...await store.algsWithKeys(), ...await store.algsInUse()])
      const failed = outcomes.find(it => it.status === 'rejected')
      if (failed !== undefined) throw failed.reason
      const changes = outcomes.flatMap(it => it.status === 'fulfilled' ? [it.value] : [])
      return { made: changes.flatMap(({ made }) => made), retired: changes.flatMap(({ retired }) => retired) }
    }
  }
}
