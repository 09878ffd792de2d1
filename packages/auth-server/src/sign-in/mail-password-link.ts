import { FORGOTTEN_LINK_TTL } from '../lifetimes.js'
import type { Failure, Outbox } from '../mail/outbox.js'
import { writeLinkMail } from '../mail/link-mail.js'
import { recipientAt } from '../mail/recipient.js'
import type { Translator } from '../languages/translator.js'
import type { Profile } from '../stores/users/profiles.js'
import type { User } from '../stores/users/users.js'
import type { PasswordLinks } from './password-link.js'

interface Options {
  readonly passwordLinks: PasswordLinks
  readonly outbox: Outbox
  readonly issuer: string
  /** The name of the site in emails. */
  readonly site: string
  readonly now: () => Date
}

/** The user's verified address, name and language. */
interface Addressee extends Pick<Profile, 'name' | 'locale'> {
  readonly email: string
  /** The language of the page on which the email was requested. */
  readonly language: Translator['language']
  /** The authorization request to resume afterwards, as a query string. */
  readonly request?: string | undefined
}

/** Emails a user a link that sets a password, in the background. @param ended called with the outcome */
export type MailPasswordLink = (user: User, addressee: Addressee, ended: (failure: Failure) => void) => Promise<void>

/** Makes {@link MailPasswordLink}: the links of `/forgot-password` and `/not-me`. */
export function createMailPasswordLink ({ passwordLinks, outbox, issuer, site, now }: Options): MailPasswordLink {
  return async (user, { language, request, ...addressee }, ended) => {
    const purpose = { mailedTo: addressee.email, ttl: FORGOTTEN_LINK_TTL, ...(request === undefined ? {} : { request }) }
    const link = `${issuer}/set-password?link=${await passwordLinks.issue(user, purpose, now())}`
    const recipient = await recipientAt({ ...addressee, username: user.username }, language)
    outbox.put(writeLinkMail({ ...recipient, purpose: 'password', link, hours: FORGOTTEN_LINK_TTL / 3_600, site }), ended)
  }
}
