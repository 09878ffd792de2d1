import type { Acr } from '@frontdesk/schemas/acr'
import { createSigner, createVerifier } from 'fast-jwt'
import type { Proof } from '../factors/set-up-rule.js'
import { deriveKeys, type Secrets } from '../keys/seal.js'

const TYPE = 'consent+jwt'

interface FormClaims {
  jti: string
  exp: number
  bind?: unknown
  sub?: string
  fresh?: boolean
  passed?: { userId: string, state: string }
  mailed?: string
  acr?: Acr
  proof?: Proof
  upgrade?: boolean
  shown?: string
}

/** The keys of form tokens: JWTs (RFC 7519) with HS256. */
export interface FormKeys {
  readonly sign: (claims: object) => string
  /** One for each secret. They ignore `exp`, since they would use this machine's clock. @throws TokenError */
  readonly verifiers: ReadonlyArray<(field: string) => FormClaims>
}

/** Derives the keys of form tokens. The previous secret stays valid during a rotation. */
export function deriveFormKeys (secrets: Secrets): FormKeys {
  const keys = deriveKeys(secrets, 'consent form').map(key => Buffer.from(key))
  return {
    // as: the current secret has a key.
    sign: createSigner({ key: keys[0] as Buffer, algorithm: 'HS256', header: { alg: 'HS256', typ: TYPE } }),
    verifiers: keys.map(key => createVerifier({
      key, algorithms: ['HS256'], checkTyp: TYPE, requiredClaims: ['jti', 'exp'], ignoreExpiration: true, cache: false
    }))
  }
}
