import { after, FORM_TOKEN_TTL } from '../lifetimes.js'
import { single } from '../oauth/parameters.js'
import type { Passkeys } from '../stores/users/passkeys.js'
import type { Factor } from './factor.js'
import { challengeOf, type RelyingParty } from './relying-party.js'

/** What a passkey adds to `amr` (RFC 8176). */
export const PASSKEY_AMR = 'pop'

/** Passkeys (WebAuthn): the field of the code has the signed response. Each works once. */
export function createPasskey (passkeys: Pick<Passkeys, 'find' | 'claim' | 'use'>, relyingParty: RelyingParty): Factor {
  return {
    kind: 'passkey',
    amr: PASSKEY_AMR,
    async use (userId, form, now) {
      const [response, challenge] = [single(form, 'code') ?? '', challengeOf(single(form, 'transaction') ?? '')]
      const id = relyingParty.idIn(response)
      const passkey = id === null ? null : await passkeys.find(id)
      if (passkey?.userId !== userId) return false
      const counter = await relyingParty.verifyUse(response, challenge, passkey)
      if (counter === null) return false
      // The token of the page expires before the row does.
      return await passkeys.claim(challenge, after(now, FORM_TOKEN_TTL)) && await passkeys.use({ id: passkey.id, userId, counter }, now)
    }
  }
}
