import { createSigner, createVerifier } from 'fast-jwt'
import { deriveKey } from '../keys/seal.js'

/** `typ` of the hidden field. */
const TYPE = 'consent+jwt'

/** What a form token holds. */
interface FormClaims { jti: string, exp: number, bind?: unknown, sub?: string, fresh?: boolean, shown?: string }

/** The keys of form tokens: JWTs (RFC 7519) with HS256. */
export interface FormKeys {
  readonly sign: (claims: object) => string
  /** One for each secret. They ignore `exp`, since they would use the clock of this machine. @throws TokenError */
  readonly verifiers: ReadonlyArray<(field: string) => FormClaims>
}

/** Derives the keys of form tokens. The previous secret stays valid during a rotation. */
export function deriveFormKeys ({ secretKey, previousSecretKey }: { secretKey: string, previousSecretKey?: string | undefined }): FormKeys {
  const [key, ...previous] = [secretKey, previousSecretKey].flatMap(secret => secret === undefined
    ? []
    : [Buffer.from(deriveKey(secret, 'consent form'))])
  return {
    // as: there is the secret.
    sign: createSigner({ key: key as Buffer, algorithm: 'HS256', header: { alg: 'HS256', typ: TYPE } }),
    verifiers: [key as Buffer, ...previous].map(key => createVerifier({
      key, algorithms: ['HS256'], checkTyp: TYPE, requiredClaims: ['jti', 'exp'], ignoreExpiration: true, cache: false
    }))
  }
}
