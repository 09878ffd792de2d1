import { within, writeLetter } from './letter.js'
import type { Mail } from './mailer.js'

/** An email to someone who wants to sign up. */
interface SignUpMail {
  readonly to: Mail['to']
  readonly link: string
  /** Name of the site or, without one, its host. */
  readonly site: string
}

/** Writes the email with the link that creates an account. @param hours lifetime of the link */
export function writeSignUpMail ({ to, link, site, hours }: SignUpMail & { readonly hours: number }): Mail {
  return writeLetter({
    to,
    subject: `Create your account at ${site}`,
    before: [
      `This email address was entered to create an account at ${site}.`,
      `To continue, open this link within ${within(hours)}. It works once:`
    ],
    link,
    action: 'Create your account',
    after: ['If you didn\'t enter it, ignore this email: no account is created. Don\'t share the link with anyone.']
  })
}

/** What the email for a known address names. `link`: where the user signs in. */
interface KnownAddressMail extends SignUpMail {
  readonly usernames: readonly string[]
  readonly forgotPassword: string
}

/** Writes the email to someone who wants to sign up, and has an account already. */
export function writeKnownAddressMail ({ to, usernames, link, site, forgotPassword }: KnownAddressMail): Mail {
  const [username, ...others] = usernames
  const names = others.length === 0 ? `Your user name is ${username}.` : `Your user names are ${usernames.join(', ')}.`
  return writeLetter({
    to,
    subject: `You already have an account at ${site}`,
    before: [
      `This email address was entered to create an account at ${site}, but you already have one. ${names}`,
      'To sign in, open this link:'
    ],
    link,
    action: 'Sign in',
    after: [
      `If you forgot your password, you can set a new one: ${forgotPassword}`,
      'If you didn\'t enter your address, ignore this email: nothing changes.'
    ]
  })
}
