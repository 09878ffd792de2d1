import { writeLetter } from './letter.js'
import type { Mail } from './mailer.js'
import type { Recipient } from './recipient.js'

/** An email with a link: to choose a first password, to set a new one, to verify the address that it is sent to, or to sign up with it. */
export interface LinkMail extends Recipient {
  readonly purpose: 'invitation' | 'password' | 'sign-up' | 'verification'
  readonly link: string
  /** Lifetime of the link, in hours. */
  readonly hours: number
  /** Name of the site or, without one, its host, such as `id.example`. */
  readonly site: string
}

export function writeLinkMail ({ purpose, link, hours, site, ...recipient }: LinkMail): Mail {
  const { t, username } = recipient
  return writeLetter({
    ...recipient,
    subject: t(`mail.${purpose}.subject`, { site }),
    before: [t(`mail.${purpose}.what`, { site, username }), t(`mail.${purpose}.open`, { hours })],
    link,
    action: t(`mail.${purpose}.link`),
    after: [t(`mail.${purpose}.unexpected`)]
  })
}
