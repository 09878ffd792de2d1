import { writeLetter } from './letter.js'
import type { Mail } from './mailer.js'
import type { Recipient } from './recipient.js'

/** An email to someone who wants to sign up, and has an account already. */
interface KnownAddressMail extends Pick<Recipient, 'to' | 't'> {
  readonly usernames: readonly string[]
  /** Where the user signs in. */
  readonly link: string
  readonly forgotPassword: string
  /** Name of the site or, without one, its host. */
  readonly site: string
}

export function writeKnownAddressMail ({ to, t, usernames, link, forgotPassword, site }: KnownAddressMail): Mail {
  return writeLetter({
    to,
    t,
    subject: t('mail.known-address.subject', { site }),
    before: [
      t('mail.known-address.what', { site }),
      t('mail.known-address.usernames', { count: usernames.length, usernames: t.list(usernames) }),
      t('mail.known-address.open')
    ],
    link,
    action: t('mail.known-address.link'),
    after: [t('mail.known-address.forgot'), forgotPassword, t('mail.known-address.unexpected')]
  })
}
