import { within, writeLetter } from './letter.js'
import type { Mail } from './mailer.js'

/** An email with a link that sets a password. */
export interface PasswordMail {
  readonly to: Mail['to']
  readonly username: string
  readonly link: string
  /** Lifetime of the link, in hours. */
  readonly hours: number
  readonly isInvitation: boolean
  /** Name of the site or, without one, its host, such as `id.example`. */
  readonly site: string
}

export function writePasswordMail ({ to, username, link, hours, isInvitation, site }: PasswordMail): Mail {
  const until = within(hours)
  const words = isInvitation
    ? {
        subject: `Your account at ${site}`,
        before: [`You have an account at ${site}. Your user name is ${username}.`, `To choose a password, open this link within ${until}:`],
        action: 'Choose a password',
        after: ['If you didn\'t expect this, ignore this email.']
      }
    : {
        subject: `Set a new password at ${site}`,
        before: [
          `Here is a link to set a new password at ${site}. Your user name is ${username}.`,
          `Open it within ${until}. It works once:`
        ],
        action: 'Set a new password',
        after: ['If you don\'t want a new password, ignore this email: nothing changes. Don\'t share the link with anyone.']
      }
  return writeLetter({ to, link, ...words })
}
