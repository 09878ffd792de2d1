import { EncryptJWT, errors, jwtDecrypt, type JWTPayload } from 'jose'
import { deriveKeys, type JwtPurpose, type Secrets } from './seal.js'

const ALG = 'dir'
const ENC = 'A256GCM'

/** How far the clock of the issuing replica can be ahead, in seconds. A JWT from further ahead would live too long. */
export const MAX_AHEAD_S = 60

/** Claims of at least this many characters are compressed; shorter ones fit into any URL. */
const MIN_COMPRESSED_LENGTH = 600

/** Maximum size of decompressed claims, in bytes. */
const MAX_CLAIMS_BYTES = 16_384

/** Encrypted JWTs that only this server reads. It gets them back, and so need not store their claims. */
interface SealedJwts<T> {
  seal (claims: T, now: Date): Promise<string>
  /** Opens a JWT that is at most `maxAge` seconds old; `null` if it is older, too long, or was not made here for this purpose. */
  open (jwt: string, maxAge: number, now: Date): Promise<T | null>
}

/** Makes {@link SealedJwts}: JWEs (RFC 7516), `dir` with A256GCM. The previous secret stays valid during a rotation. */
export function createSealedJwts<T extends JWTPayload> (secrets: Secrets, purpose: JwtPurpose): SealedJwts<T> {
  const keys = deriveKeys(secrets, purpose)
  return {
    async seal (claims, now) {
      const zip = JSON.stringify(claims).length < MIN_COMPRESSED_LENGTH ? {} : { zip: 'DEF' }
      return await new EncryptJWT(claims).setProtectedHeader({ alg: ALG, enc: ENC, ...zip }).setIssuedAt(now).encrypt(keys[0])
    },
    async open (jwt, maxAge, now) {
      for (const key of keys) {
        try {
          const options = { keyManagementAlgorithms: [ALG], contentEncryptionAlgorithms: [ENC], maxDecompressedLength: MAX_CLAIMS_BYTES }
          const { payload: { iat, ...claims } } = await jwtDecrypt<T & { iat: number }>(jwt, key, options)
          const age = now.getTime() / 1_000 - iat
          // as: only this module has the key of this purpose.
          return age < -MAX_AHEAD_S || age >= maxAge ? null : claims as unknown as T
        } catch (error) {
          if (!(error instanceof errors.JOSEError)) throw error
        }
      }
      return null
    }
  }
}
