import { writeLetter } from './letter.js'
import type { Mail } from './mailer.js'
import type { Recipient } from './recipient.js'

/** What a code permits: to set up a factor, or to replace the address. */
export type CodePurpose = keyof typeof TEXTS

interface CodeMail extends Recipient {
  readonly site: string
  readonly purpose: CodePurpose
  readonly code: string
  readonly minutes: number
}

/** What someone is doing, and what it means if it was not the user. */
const TEXTS = {
  factor: {
    what: (site: string) => `Someone entered your password at ${site}, and is setting up two-step sign-in.`,
    advice: 'If it wasn\'t you, someone else knows your password: change it.'
  },
  address: {
    what: (site: string) => `Someone is changing the email address of your account at ${site}.`,
    advice: 'If it wasn\'t you, someone else is signed in to your account: change your password.'
  }
}

/** Writes the email with the code that permits setting up a factor, or replacing the address that it is sent to. */
export function writeCodeMail ({ to, username, site, purpose, code, minutes }: CodeMail): Mail {
  const { what, advice } = TEXTS[purpose]
  return writeLetter({
    to,
    subject: `Your code for ${site}`,
    before: [
      `${what(site)} Your user name is ${username}.`,
      `If that was you, enter this code within ${minutes} minutes: ${code}`
    ],
    after: [`${advice} Don't share the code with anyone.`]
  })
}
