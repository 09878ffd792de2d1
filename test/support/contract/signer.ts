import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { JWK } from 'jose'
import type { openKeyRing, KeyRing } from '../../../packages/auth-server/src/keys/key-ring.js'
import type { StoredKey } from '../../../packages/auth-server/src/stores/operation/signing-keys.js'
import { load } from '../load.js'

/** Ed25519 in PKCS #8, up to its 32 bytes (RFC 8410 §7). */
const PKCS8 = '302e020100300506032b657004220420'

/** A key pair that anybody can compute from its name: Ed25519, whose signatures are the same each time. Never for use. */
export function testKey (name: string): { privateKey: KeyObject, publicKey: KeyObject, jwk: JWK, publicJwk: JWK & { kid: string } } {
  const seed = createHash('sha256').update(`frontdesk contract test: ${name}`).digest('hex')
  const privateKey = createPrivateKey({ key: Buffer.from(PKCS8 + seed, 'hex'), format: 'der', type: 'pkcs8' })
  // as: the JWK of such a key is of that shape.
  const jwk = privateKey.export({ format: 'jwk' }) as JWK
  const { d, ...publicMembers } = jwk
  return { privateKey, publicKey: createPublicKey(privateKey), jwk, publicJwk: { ...publicMembers, kid: name, alg: 'EdDSA', use: 'sig' } }
}

/** The key ring of auth-server, with one key that is known. */
export async function ringOf ({ jwk, publicJwk }: ReturnType<typeof testKey>, now: Date): Promise<KeyRing> {
  const secretKey = 'the secret of a contract test, of no use'
  const { deriveKey } = await load<{ deriveKey: (secret: string, purpose: string) => Uint8Array }>('auth-server', 'keys/seal.js')
  const { seal } = await load<{ seal: (jwk: JWK, key: Uint8Array) => Promise<string> }>('auth-server', 'keys/seal.js')
  const { openKeyRing: open } = await load<{ openKeyRing: typeof openKeyRing }>('auth-server', 'keys/key-ring.js')
  const stored: StoredKey = {
    kid: publicJwk.kid,
    generation: 1,
    alg: 'EdDSA',
    publicJwk: JSON.stringify(publicJwk),
    privateJwe: await seal(jwk, deriveKey(secretKey, 'signing keys')),
    createdAt: now,
    signsFrom: now,
    retiredAt: null
  }
  const never = async () => false
  return await open(
    { list: async () => [stored], add: async () => null, reseal: never, retire: never, now: async () => now },
    { signingAlg: 'EdDSA', secretKey },
    undefined,
    () => now
  )
}
