import { writeLetter } from './letter.js'
import type { Mail } from './mailer.js'
import type { Recipient } from './recipient.js'

/** Writes the email with the code that permits setting up an authenticator app during a sign-in. */
export function writeCodeMail (
  { to, username, site, code, minutes }: Recipient & { readonly site: string, readonly code: string, readonly minutes: number }
): Mail {
  return writeLetter({
    to,
    subject: `Your code for ${site}`,
    before: [
      `Someone entered your password at ${site}, and is setting up two-step sign-in. Your user name is ${username}.`,
      `If that was you, enter this code within ${minutes} minutes: ${code}`
    ],
    after: ['If it wasn\'t you, someone else knows your password: change it. Don\'t share the code with anyone.']
  })
}
