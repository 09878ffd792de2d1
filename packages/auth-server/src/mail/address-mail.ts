import { writeLetter } from './letter.js'
import type { Mail } from './mailer.js'
import type { NoticeFacts } from './notices.js'

/** Writes the notice to the previous address that it was replaced: an attacker controls the new one. */
export function writeAddressMail ({ to, username, site }: NoticeFacts): Mail {
  return writeLetter({
    to,
    subject: `Your email address was changed at ${site}`,
    before: [`The email address of your account at ${site} was changed. Your user name is ${username}.`],
    after: ['If this wasn\'t you, change your password, and contact your administrator.']
  })
}
