import type { Config } from '../config.js'
import { after, PASSWORD_LINK_TTL } from '../lifetimes.js'
import { siteName } from '../settings/site-name.js'
import { sendsMail } from '../settings/mail.js'
import { createPasswordLinks } from '../sign-in/password-link.js'
import type { Stores } from '../stores/stores.js'
import type { Profile } from '../stores/users/profiles.js'
import type { HandedLink } from '../stores/users/users.js'
import type { Actor } from './actor.js'
import { administratorOf } from './rights.js'
import { sendMail } from './send-mail.js'
import { unknownUser } from './unknown.js'
import type { Reason } from '../languages/reason.js'

/** When a link that sets a password expires, and the link to hand over, or where it was emailed to; neither: the actor must not see it. */
type PasswordLink = { readonly linkEndsAt: Date } & ({ readonly link?: string } | { readonly mailedTo: string })

/** A link, and why it could not be emailed, in a sentence. */
export interface SentLink { readonly passwordLink: PasswordLink, readonly mailFailure?: Reason }

/** How to make a link, the recipient of the email, and who sees a link that is not emailed. Without `email`, no email is sent. */
interface Purpose extends Pick<Profile, 'name' | 'email' | 'locale'> { readonly config: Config, readonly isInvitation: boolean, readonly by: Actor }

/** Makes a link with the server's SECRET_KEY and ISSUER, and emails it with its SMTP_URL. Returns a link that cannot be emailed. */
export async function sendPasswordLink (
  stores: Pick<Stores, 'users' | 'profiles' | 'clock'>,
  { username }: { readonly username: string },
  { config, isInvitation, name, email, locale, by }: Purpose
): Promise<SentLink> {
  const user = await stores.users.find(username)
  if (user === null) throw await unknownUser(stores, username)
  const { mail, issuer } = config
  const now = stores.clock.now()
  const linkEndsAt = after(now, PASSWORD_LINK_TTL)
  const links = createPasswordLinks(stores, config)
  const make = async (handed: HandedLink) => `${issuer}/set-password?link=${await links.issue(user, { isInvitation, ...handed }, now)}`
  const shown = { shownTo: administratorOf(by) }
  if (email === null || !sendsMail(mail)) return { passwordLink: { link: await make(shown), linkEndsAt } }

  // Loaded on demand: most links are printed.
  const [{ writeLinkMail }, { recipientAt }] = [await import('../mail/link-mail.js'), await import('../mail/recipient.js')]
  const recipient = await recipientAt({ username: user.username, name, email, locale }, config.defaultLanguage)
  const purpose = isInvitation ? 'invitation' : 'password'
  const written = { ...recipient, purpose, link: await make({ mailedTo: email }), site: siteName(config) } as const
  const mailFailure = await sendMail(writeLinkMail({ ...written, hours: PASSWORD_LINK_TTL / 3_600 }), mail)
  if (mailFailure === undefined) return { passwordLink: { mailedTo: email, linkEndsAt } }
  return { passwordLink: { link: await make(shown), linkEndsAt }, mailFailure }
}
