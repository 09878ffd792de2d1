import { after, FORM_TOKEN_TTL } from '../lifetimes.js'
import type { Passkeys, StoredPasskey } from '../stores/users/passkeys.js'
import { challengeOf, type RelyingParty } from './relying-party.js'

/** Stands in for an unknown passkey, whose responses are refused with the same work. Its key is the base point of P-256. */
const UNKNOWN = {
  id: '',
  userId: '',
  publicKey: 'pQECAyYgASFYIGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWIlggT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU'
}

/** A response, and the form token of the page that requested it. */
export interface SignedForm { readonly response: string, readonly transaction: string }

/** The signed responses of passkeys (WebAuthn). Each works once. */
export interface SignedResponses {
  /** The id of the passkey in a response; `null`: it is no response. */
  idIn (response: string): string | null
  /** The passkey of a response; `null`: unknown, or it is no response. */
  find (response: string): Promise<StoredPasskey | null>
  /**
   * Atomic: verifies a response and uses it up. Exactly one concurrent caller gets `true`. Without a passkey, returns `false` after the
   * same work.
   */
  use (passkey: StoredPasskey | null, form: SignedForm, now: Date): Promise<boolean>
}

export function createSignedResponses (passkeys: Pick<Passkeys, 'find' | 'claim' | 'use'>, relyingParty: RelyingParty): SignedResponses {
  return {
    idIn: relyingParty.idIn,
    async find (response) {
      const id = relyingParty.idIn(response)
      return id === null ? null : await passkeys.find(id)
    },
    async use (passkey, { response, transaction }, now) {
      const challenge = challengeOf(transaction)
      const counter = await relyingParty.verifyUse(response, challenge, passkey ?? UNKNOWN)
      if (passkey === null || counter === null) return false
      const { id, userId } = passkey
      // The token of the page expires before the row does.
      return await passkeys.claim(challenge, after(now, FORM_TOKEN_TTL)) && await passkeys.use({ id, userId, counter }, now)
    }
  }
}
