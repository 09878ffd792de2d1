import { within, writeLetter } from './letter.js'
import type { Mail } from './mailer.js'

/** An email with a link that verifies the address that it is sent to. */
interface VerificationMail {
  readonly to: Mail['to']
  readonly username: string
  readonly link: string
  /** Lifetime of the link, in hours. */
  readonly hours: number
  /** Name of the site or, without one, its host. */
  readonly site: string
}

export function writeVerificationMail ({ to, username, link, hours, site }: VerificationMail): Mail {
  return writeLetter({
    to,
    subject: `Verify your email address at ${site}`,
    before: [
      `This email address was entered for the user ${username} at ${site}.`,
      `If that's you, open this link within ${within(hours)}, and press the button on the page:`
    ],
    link,
    action: 'Verify the email address',
    after: ['If it isn\'t you, ignore this email.']
  })
}
