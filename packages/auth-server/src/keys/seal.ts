import { CompactEncrypt, compactDecrypt, type JWK } from 'jose'
import { hkdfSync } from 'node:crypto'

/** Encrypts a private key, or another value, for the database: a compact JWE (RFC 7516), `dir` with A256GCM. */
export async function seal (value: object, key: Uint8Array): Promise<string> {
  const plain = new TextEncoder().encode(JSON.stringify(value))
  return await new CompactEncrypt(plain).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key)
}

/** Decrypts what {@link seal} made. @throws if it was made with another key */
export async function unseal (jwe: string, key: Uint8Array): Promise<JWK> {
  const { plaintext } = await compactDecrypt(jwe, key, { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] })
  return JSON.parse(new TextDecoder().decode(plaintext))
}

/** The current secret and, during a rotation, the previous one. */
export interface Secrets { readonly secretKey: string, readonly previousSecretKey?: string | undefined }

/** Purposes of `createSealedJwts`. */
export type JwtPurpose =
  | 'email links' | 'enrollments' | 'factor links' | 'mailed codes' | 'not me links' | 'password links' | 'pushed requests' | 'sign-up links'
  | 'upstream sign-ins'

type Purpose = JwtPurpose
  | 'admin answers' | 'audit seals' | 'client secrets' | 'consent form' | 'DPoP nonces' | 'factors' | 'known browsers' | 'signing keys'

/** A 256-bit key for one purpose, derived from SECRET_KEY (HKDF, RFC 5869). */
export function deriveKey (secretKey: string, purpose: Purpose): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secretKey, '', `frontdesk ${purpose}`, 32))
}

/** The keys of both secrets, the current one first. */
export function deriveKeys ({ secretKey, previousSecretKey }: Secrets, purpose: Purpose): [Uint8Array, ...Uint8Array[]] {
  return [deriveKey(secretKey, purpose), ...previousSecretKey === undefined ? [] : [deriveKey(previousSecretKey, purpose)]]
}
