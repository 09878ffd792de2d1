import { EncryptJWT, errors, jwtDecrypt, type JWTPayload } from 'jose'
import { deriveKey } from './seal.js'

const ALG = 'dir'
const ENC = 'A256GCM'

/** How far ahead the clock of the replica that made one may be, in seconds: one from further ahead would live too long. */
export const MAX_AHEAD = 60

/** From how many characters of claims on they are compressed: shorter ones fit into any address. */
const COMPRESSED_FROM = 600

/** Limit of claims once they are decompressed, in bytes. */
const MAX_CLAIMS = 16_384

/** Encrypted JWTs that only this server reads: what it hands out and gets back, and need not store. */
interface SealedJwts<T> {
  seal (claims: T, now: Date): Promise<string>
  /**
   * The claims of one of at most that age in seconds; `null` if it is older, comes from the future, is too long once it is
   * decompressed, or was not made here for this purpose.
   */
  open (jwt: string, maxAge: number, now: Date): Promise<T | null>
}

/**
 * Makes {@link SealedJwts}: JWEs (RFC 7516), `dir` with A256GCM; long ones are compressed. The previous secret stays valid during a
 * rotation.
 */
export function createSealedJwts<T extends JWTPayload> (
  { secretKey, previousSecretKey }: { secretKey: string, previousSecretKey?: string | undefined },
  purpose: 'password links' | 'pushed requests'
): SealedJwts<T> {
  const key = deriveKey(secretKey, purpose)
  const keys = [key, ...previousSecretKey === undefined ? [] : [deriveKey(previousSecretKey, purpose)]]
  return {
    async seal (claims, now) {
      const zip = JSON.stringify(claims).length < COMPRESSED_FROM ? {} : { zip: 'DEF' }
      return await new EncryptJWT(claims).setProtectedHeader({ alg: ALG, enc: ENC, ...zip }).setIssuedAt(now).encrypt(key)
    },
    async open (jwt, maxAge, now) {
      for (const key of keys) {
        try {
          const options = { keyManagementAlgorithms: [ALG], contentEncryptionAlgorithms: [ENC], maxDecompressedLength: MAX_CLAIMS }
          const { payload: { iat, ...claims } } = await jwtDecrypt<T & { iat: number }>(jwt, key, options)
          const age = now.getTime() / 1_000 - iat
          // as: only this module has the key of this purpose.
          return age < -MAX_AHEAD || age >= maxAge ? null : claims as unknown as T
        } catch (error) {
          if (!(error instanceof errors.JOSEError)) throw error
        }
      }
      return null
    }
  }
}
