import { randomInt } from 'node:crypto'
import { createSealedJwts } from '../keys/sealed-jwt.js'
import type { Secrets } from '../keys/seal.js'
import { after, MAILED_CODE_TTL } from '../lifetimes.js'
import type { Translator } from '../languages/translator.js'
import { writeCodeMail, type CodePurpose } from '../mail/code-mail.js'
import type { Failure, Outbox } from '../mail/outbox.js'
import { recipientOf } from '../mail/recipient.js'
import type { Stores } from '../stores/stores.js'
import type { VerifiedUser } from '../stores/users/verified-user.js'
import { createEmailLimit } from './email-limit.js'
import { hashOpaqueToken, randomOpaqueToken } from './opaque-token.js'
import { credentialState } from './password-link.js'

const DIGITS = 8

/** How a code is requested: for what, from which address, and on a page in which language. */
interface Asked { readonly purpose: CodePurpose, readonly source: string, readonly language: Translator['language'] }

/** Codes that prove that a user reads the email of their verified address. */
export interface MailedCodes {
  /**
   * Emails a code in the background. Returns the sealed code for the form, or how many seconds to wait; `null` if the user has no verified
   * address.
   * @param ended called with the outcome
   */
  send (
    user: VerifiedUser, asked: Asked, ended: (failure: Failure) => void
  ): Promise<{ readonly sealed: string } | { readonly retryAfter: number } | null>
  /**
   * Atomic: uses a code up. Returns the address that it was mailed to; `null` if it is wrong, is for another purpose, has expired or was
   * used before, or the password, the access or the address was changed since.
   */
  use (
    user: VerifiedUser, entered: { readonly purpose: CodePurpose, readonly sealed: string, readonly code: string }
  ): Promise<string | null>
}

interface Options {
  readonly stores: Pick<Stores, 'spentIds' | 'profiles' | 'throttles' | 'clock'>
  readonly secrets: Secrets
  readonly outbox: Outbox
  /** The name of the site in emails. */
  readonly site: string
}

type Claims = { sub: string, purpose: CodePurpose, state: string, email: string, id: string, hash: string }

/** Makes {@link MailedCodes}. Nothing is stored until a code is used: the form contains it, encrypted. */
export function createMailedCodes (
  { stores: { spentIds, profiles, throttles, clock }, secrets, outbox, site }: Options
): MailedCodes {
  const jwts = createSealedJwts<Claims>(secrets, 'mailed codes')
  const limit = createEmailLimit(throttles, 'code mail')

  return {
    async send (user, { purpose, source, language }, ended) {
      const profile = await profiles.find(user.id)
      const recipient = profile && await recipientOf(profile, language)
      if (recipient === null) return null
      const retryAfter = await limit.ofSource(source) || await limit.ofUser(user.id)
      if (retryAfter > 0) return { retryAfter }
      const [id, code] = [randomOpaqueToken(), String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')]
      const claims = { sub: user.id, purpose, state: credentialState(user), email: recipient.to.address, id, hash: hashOf(id, code) }
      const sealed = await jwts.seal(claims, clock.now())
      outbox.put(writeCodeMail({ ...recipient, purpose, code, minutes: MAILED_CODE_TTL / 60, site }), ended)
      return { sealed }
    },
    async use (user, { purpose, sealed, code }) {
      const now = clock.now()
      const claims = await jwts.open(sealed, MAILED_CODE_TTL, now)
      if (claims?.sub !== user.id || claims.purpose !== purpose) return null
      if (claims.state !== credentialState(user) || claims.hash !== hashOf(claims.id, code)) return null
      const profile = await profiles.find(user.id)
      if (!profile?.emailVerified || profile.email !== claims.email) return null
      // Stored for twice as long: clocks of replicas differ.
      const isFirst = await spentIds.add(hashOpaqueToken(`mailed code ${claims.id}`), after(now, 2 * MAILED_CODE_TTL))
      return isFirst ? claims.email : null
    }
  }
}

function hashOf (id: string, code: string): string {
  return hashOpaqueToken(`${id} ${code}`)
}
