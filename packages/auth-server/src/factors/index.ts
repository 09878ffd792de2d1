import type { Parameters } from '../oauth/parameters.js'
import type { FactorStore } from '../stores/users/factors.js'
import type { Factor } from './factor.js'
import { createPasskey } from './passkey.js'
import { createRecoveryCode } from './recovery-code.js'
import type { RelyingParty } from './relying-party.js'
import { createSignedResponses } from './signed-responses.js'
import { createTotp } from './totp.js'

/** The second factors of users. See `FoundUser.factors` for the enrolled ones. */
export interface Factors {
  /** All kinds. */
  readonly list: readonly Factor[]
  /** Uses up the code of a form, of whichever factor it is. Atomic: `null` if it is wrong, was used before, or is not enrolled. */
  use (userId: string, form: Parameters, now: Date): Promise<Factor | null>
}

/** @param key encrypts the secrets of authenticator apps: see `openDataKey` */
export function createFactors (
  { authenticators, passkeys, recoveryCodes }: FactorStore, key: Uint8Array, relyingParty: RelyingParty
): Factors {
  const passkey = createPasskey(createSignedResponses(passkeys, relyingParty))
  const list = [createTotp(authenticators, key), passkey, createRecoveryCode(recoveryCodes)]
  return {
    list,
    async use (userId, form, now) {
      for (const factor of list) if (await factor.use(userId, form, now)) return factor
      return null
    }
  }
}
