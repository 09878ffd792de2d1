import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server'
import { after, FORM_TOKEN_TTL } from '../lifetimes.js'
import { single, type Parameters } from '../oauth/parameters.js'
import type { Passkeys } from '../stores/users/passkeys.js'
import type { FactorId } from '../stores/users/takeovers.js'
import type { User } from '../stores/users/users.js'
import { makeRecoveryCodes } from './recovery-code.js'
import { challengeOf, type RelyingParty } from './relying-party.js'
import type { Proof, SetUpRule } from './set-up-rule.js'

/** Longest name of a passkey, in characters. */
export const MAX_PASSKEY_NAME = 64

/** A passkey that was stored, with new recovery codes if the user had none. */
interface AddedPasskey { readonly factor: FactorId, readonly recoveryCodes?: readonly string[] }

/** What permits a passkey, and whether the browser created it without asking. */
interface Permitted { readonly proof: Proof, readonly isConditional?: boolean }

/** Creates passkeys: see {@link RelyingParty}. */
export interface PasskeyEnrollments {
  /**
   * Options of `navigator.credentials.create()`.
   * @param transaction form token of the page, which only follows the password
   * @param isConditional see {@link RelyingParty}
   */
  begin (
    transaction: string, user: Pick<User, 'id' | 'username'>, isConditional?: boolean
  ): Promise<PublicKeyCredentialCreationOptionsJSON>
  /**
   * Stores the passkey of a form with `transaction`, `code` (the response) and `name`. Atomic: `null`, with nothing changed, if it is
   * invalid, was stored before, the user has too many, the password or the access was changed since, or the proof lost its effect.
   */
  confirm (user: User, form: Parameters, permitted: Permitted, now: Date): Promise<AddedPasskey | null>
}

interface Options {
  readonly passkeys: Pick<Passkeys, 'list' | 'claim' | 'enroll'>
  readonly relyingParty: RelyingParty
  readonly rule: Pick<SetUpRule, 'permits'>
}

export function createPasskeyEnrollments ({ passkeys, relyingParty, rule }: Options): PasskeyEnrollments {
  return {
    begin: async (transaction, user, isConditional) =>
      relyingParty.creationOptions(challengeOf(transaction), user, await passkeys.list(user.id), isConditional),
    async confirm (user, form, { proof, isConditional }, now) {
      const challenge = challengeOf(single(form, 'transaction') ?? '')
      const verified = await relyingParty.verifyCreation(single(form, 'code') ?? '', challenge, isConditional)
      // The token of the page expires before the row does.
      if (verified === null || !await passkeys.claim(challenge, after(now, FORM_TOKEN_TTL))) return null
      const { codes, hashes } = makeRecoveryCodes()
      const enrolled = await passkeys.enroll(user, { ...verified, name: passkeyNameIn(form) }, hashes, rule.permits(proof))
      return enrolled && { factor: { kind: 'passkey', id: verified.id }, ...enrolled.areCodesNew && { recoveryCodes: codes } }
    }
  }
}

/** The name in a form, in one line; else a general one. */
export function passkeyNameIn (form: Parameters): string {
  const name = (single(form, 'name') ?? '').replace(/\p{C}/gu, '').trim()
  return [...name].slice(0, MAX_PASSKEY_NAME).join('') || 'Passkey'
}
