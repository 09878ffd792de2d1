import type { Jwks, PublicJwk, SigningAlg } from '@frontdesk/schemas/jwks'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, SignJWT, type JWTPayload } from 'jose'
import type { SigningKeys, StoredKey } from '../stores/signing-keys.js'
import { deriveKey } from './derive.js'
import { seal, unseal } from './seal.js'

/** The keys of this server: what signs now, and what verifies. */
export interface KeyRing {
  /** Signs claims with the newest key; `typ` goes into the header (RFC 7515 §4.1.9). */
  sign (claims: JWTPayload, typ: string): Promise<string>
  /** The public keys. */
  jwks (): Jwks
}

/**
 * Opens the key ring and makes the first key of the algorithm. Of processes that do so at once, one makes it and all use it.
 * @throws if SECRET_KEY is not the one that the keys were made with
 */
export async function openKeyRing (store: SigningKeys, { signingAlg, secretKey }: { signingAlg: SigningAlg, secretKey: string }): Promise<KeyRing> {
  const sealingKey = deriveKey(secretKey, 'signing keys')
  let stored = await store.list()
  while (!stored.some(({ alg }) => alg === signingAlg)) {
    const generation = (stored.at(-1)?.generation ?? 0) + 1
    await store.add(await makeKey(signingAlg, generation, sealingKey))
    stored = await store.list()
  }

  const newest = stored.findLast(({ alg }) => alg === signingAlg)!
  const privateKey = await importJWK(await unseal(newest.privateJwe, sealingKey), signingAlg)
  // as: makeKey stored these.
  const jwks: Jwks = { keys: stored.map(({ publicJwk }) => JSON.parse(publicJwk) as PublicJwk) }
  return {
    sign: (claims, typ) => new SignJWT(claims).setProtectedHeader({ typ, alg: signingAlg, kid: newest.kid }).sign(privateKey),
    jwks: () => jwks
  }
}

async function makeKey (alg: SigningAlg, generation: number, sealingKey: Uint8Array): Promise<StoredKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const publicJwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(publicJwk)
  return {
    kid,
    generation,
    alg,
    publicJwk: JSON.stringify({ ...publicJwk, kid, alg, use: 'sig' }),
    privateJwe: await seal(await exportJWK(privateKey), sealingKey)
  }
}
