import { EncryptJWT, errors, jwtDecrypt } from 'jose'
import { deriveKey } from '../keys/derive.js'
import { randomOpaqueToken } from '../sign-in/opaque-token.js'

/** What every reference begins with (RFC 9126 §2.2). */
export const REFERENCE_PREFIX = 'urn:ietf:params:oauth:request_uri:'

const ALG = 'dir'
const ENC = 'A256GCM'
const TYPE = 'pushed-request+jwt'

/** A request that a client has pushed (RFC 9126). */
export interface PushedRequest {
  /** Single-use: the first grant spends it. */
  readonly id: string
  readonly clientId: string
  /** Its parameters, as a query string. */
  readonly query: string
}

/** The references to pushed requests: the `request_uri` is the encrypted request, so that nothing is stored. */
export interface PushedRequests {
  /** Makes the reference. */
  seal (request: Omit<PushedRequest, 'id'>, now: Date): Promise<string>
  /** Reads a reference of at most that age in seconds; `null` if it is older, or was not made here. */
  open (reference: string, maxAge: number, now: Date): Promise<PushedRequest | null>
}

/** Makes {@link PushedRequests}: JWEs (RFC 7516), `dir` with A256GCM. The previous secret stays valid during a rotation. */
export function createPushedRequests (
  { secretKey, previousSecretKey }: { secretKey: string, previousSecretKey?: string | undefined }
): PushedRequests {
  const key = deriveKey(secretKey, 'pushed requests')
  const keys = [key, ...previousSecretKey === undefined ? [] : [deriveKey(previousSecretKey, 'pushed requests')]]
  return {
    async seal ({ clientId, query }, now) {
      const jwe = await new EncryptJWT({ client_id: clientId, query })
        .setProtectedHeader({ alg: ALG, enc: ENC, typ: TYPE })
        .setJti(randomOpaqueToken())
        .setIssuedAt(now)
        .encrypt(key)
      return REFERENCE_PREFIX + jwe
    },
    async open (reference, maxAge, now) {
      for (const key of keys) {
        try {
          const { payload } = await jwtDecrypt<{ jti: string, iat: number, client_id: string, query: string }>(
            reference.slice(REFERENCE_PREFIX.length),
            key,
            { typ: TYPE, keyManagementAlgorithms: [ALG], contentEncryptionAlgorithms: [ENC] }
          )
          const { jti: id, iat, client_id: clientId, query } = payload
          return iat + maxAge <= now.getTime() / 1_000 ? null : { id, clientId, query }
        } catch (error) {
          if (!(error instanceof errors.JOSEError)) throw error
        }
      }
      return null
    }
  }
}
