import { EMAIL_LINK_TTL } from '../lifetimes.js'
import type { Failure, Outbox } from '../mail/outbox.js'
import { writeVerificationMail } from '../mail/verification-mail.js'
import type { Stores } from '../stores/stores.js'
import { createEmailLimit } from './email-limit.js'
import type { EmailLinks } from './email-link.js'

/** Emails users a link that verifies their address. */
export interface EmailVerification {
  /**
   * Sends a link to a user's address, in the background. Returns the address, or how many seconds to wait; `null` if there is no address
   * to verify.
   * @param ended called with the outcome
   */
  send (userId: string, ended: (failure: Failure) => void): Promise<{ readonly mailedTo: string } | { readonly retryAfter: number } | null>
}

interface Options {
  stores: Pick<Stores, 'profiles' | 'throttles'>
  emailLinks: EmailLinks
  outbox: Outbox
  issuer: string
  /** The name of the site in emails. */
  site: string
  now: () => Date
}

export function createEmailVerification (
  { stores: { profiles, throttles }, emailLinks, outbox, issuer, site, now }: Options
): EmailVerification {
  const limit = createEmailLimit(throttles, 'verification mail')
  return {
    async send (userId, ended) {
      const profile = await profiles.find(userId)
      if (profile === null || profile.email === null || profile.emailVerified) return null
      const { id, username, name, email } = profile
      const retryAfter = await limit.ofUser(userId)
      if (retryAfter > 0) return { retryAfter }
      const link = `${issuer}/verify-email?link=${await emailLinks.issue({ id, email }, now())}`
      const to = { name: name ?? username, address: email }
      outbox.put(writeVerificationMail({ to, username, link, hours: EMAIL_LINK_TTL / 3_600, site }), ended)
      return { mailedTo: email }
    }
  }
}
