import type { SigningAlg } from '@frontdesk/schemas/jwks'
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import type { StoredKey } from '../stores/signing-keys.js'
import { seal } from './seal.js'

/** Makes a key pair. Its id is its thumbprint (RFC 7638), which never begins with `-`: the CLI would read an option. */
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
