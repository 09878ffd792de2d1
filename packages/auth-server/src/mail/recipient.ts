import { findLanguage } from '../languages/languages.js'
import { translator, type Translator } from '../languages/translator.js'
import type { Profile } from '../stores/users/profiles.js'
import type { Mail } from './mailer.js'

/** A user who receives an email. */
export interface Recipient {
  readonly to: Mail['to']
  readonly username: string
  /** The translator of their language. */
  readonly t: Translator
}

/** A user, and the address of an email to them. */
type Addressee = Pick<Profile, 'name' | 'locale'> & { readonly username: string, readonly email: string }

/**
 * The recipient of an email to an address.
 * @param fallback the language for users without a known one: that of the page on which they requested the email, or the default
 */
export async function recipientAt ({ username, name, email, locale }: Addressee, fallback: Translator['language']): Promise<Recipient> {
  const own = findLanguage([locale ?? ''])
  return { to: { name: name ?? username, address: email }, username, t: await translator(own ?? fallback) }
}

/** The recipient of an email to a user; `null`: the user has no verified address. @param fallback see {@link recipientAt} */
export async function recipientOf (
  { email, emailVerified, ...user }: Omit<Addressee, 'email'> & Pick<Profile, 'email' | 'emailVerified'>, fallback: Translator['language']
): Promise<Recipient | null> {
  return email === null || !emailVerified ? null : await recipientAt({ ...user, email }, fallback)
}
