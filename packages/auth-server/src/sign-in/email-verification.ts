import type { Translator } from '../languages/translator.js'
import { EMAIL_LINK_TTL } from '../lifetimes.js'
import type { Mail } from '../mail/mailer.js'
import type { Failure, Outbox } from '../mail/outbox.js'
import { writeLinkMail } from '../mail/link-mail.js'
import { recipientAt } from '../mail/recipient.js'
import type { Stores } from '../stores/stores.js'
import type { Profile, UserProfile } from '../stores/users/profiles.js'
import { createEmailLimit } from './email-limit.js'
import type { EmailLinks } from './email-link.js'

/** How a link is requested. */
interface Asked {
  /** See `SetUpRule.mayVerify`. */
  readonly isProven: boolean
  /** Of an email to a user without a language. */
  readonly language: Translator['language']
}

/** Emails users a link that verifies their address. */
export interface EmailVerification {
  /**
   * Sends a link to a user's address, in the background. Returns the address, or how many seconds to wait; `null` if there is no address
   * to verify.
   * @param ended called with the outcome
   */
  send (
    userId: string, asked: Asked, ended: (failure: Failure) => void
  ): Promise<{ readonly mailedTo: string } | { readonly retryAfter: number } | null>
}

interface LinkParts {
  readonly emailLinks: EmailLinks
  readonly issuer: string
  /** The name of the site in emails. */
  readonly site: string
}

interface Options extends LinkParts {
  readonly stores: Pick<Stores, 'profiles' | 'throttles'>
  readonly outbox: Outbox
  readonly now: () => Date
}

/** Whether a user has an address that is not verified. */
export function isUnverified<P extends Pick<Profile, 'email' | 'emailVerified'>> (profile: P): profile is P & { readonly email: string } {
  return profile.email !== null && !profile.emailVerified
}

/** Writes the email with a link that verifies an address. */
export async function writeVerificationMail (
  user: Pick<UserProfile, 'id' | 'username' | 'name' | 'locale'> & { readonly email: string },
  { isProven, language }: Asked,
  { emailLinks, issuer, site, now }: LinkParts & { readonly now: Date }
): Promise<Mail> {
  const link = `${issuer}/verify-email?link=${await emailLinks.issue(user, isProven, now)}`
  const recipient = await recipientAt(user, language)
  return writeLinkMail({ ...recipient, purpose: 'verification', link, hours: EMAIL_LINK_TTL / 3_600, site })
}

export function createEmailVerification (
  { stores: { profiles, throttles }, outbox, now, ...parts }: Options
): EmailVerification {
  const limit = createEmailLimit(throttles, 'verification mail')
  return {
    async send (userId, asked, ended) {
      const profile = await profiles.find(userId)
      if (profile === null || !isUnverified(profile)) return null
      const retryAfter = await limit.ofUser(userId)
      if (retryAfter > 0) return { retryAfter }
      outbox.put(await writeVerificationMail(profile, asked, { ...parts, now: now() }), ended)
      return { mailedTo: profile.email }
    }
  }
}
