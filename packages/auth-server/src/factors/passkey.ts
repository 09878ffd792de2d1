import { single } from '../oauth/parameters.js'
import type { Factor } from './factor.js'
import type { SignedResponses } from './signed-responses.js'

/** What a passkey adds to `amr` (RFC 8176). */
export const PASSKEY_AMR = 'pop'

/** Passkeys (WebAuthn): the field of the code has the signed response. */
export function createPasskey (responses: SignedResponses): Factor {
  return {
    kind: 'passkey',
    amr: PASSKEY_AMR,
    async use (userId, form, now) {
      const response = single(form, 'code') ?? ''
      const passkey = await responses.find(response)
      if (passkey?.userId !== userId) return false
      return await responses.use(passkey, { response, transaction: single(form, 'transaction') ?? '' }, now)
    }
  }
}
