import type { Profile } from '../stores/users/profiles.js'
import type { Mail } from './mailer.js'

/** A user who receives an email. */
export interface Recipient { readonly to: Mail['to'], readonly username: string }

/** The recipient of an email to a user; `null`: the user has no verified address. */
export function recipientOf (
  { username, name, email, emailVerified }: Pick<Profile, 'name' | 'email' | 'emailVerified'> & { readonly username: string }
): Recipient | null {
  return email === null || !emailVerified ? null : { to: { name: name ?? username, address: email }, username }
}
