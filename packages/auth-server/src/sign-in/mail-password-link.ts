import { FORGOTTEN_LINK_TTL } from '../lifetimes.js'
import type { Failure, Outbox } from '../mail/outbox.js'
import { writePasswordMail } from '../mail/password-mail.js'
import type { User } from '../stores/users/users.js'
import type { PasswordLinks } from './password-link.js'

interface Options {
  readonly passwordLinks: PasswordLinks
  readonly outbox: Outbox
  readonly issuer: string
  /** The name of the site in emails. */
  readonly site: string
  readonly now: () => Date
}

/** The user's verified address, and their name. `request`: the authorization request to resume afterwards, as a query string. */
interface Addressee { readonly name: string | null, readonly address: string, readonly request?: string | undefined }

/** Emails a user a link that sets a password, in the background. @param ended called with the outcome */
export type MailPasswordLink = (user: User, addressee: Addressee, ended: (failure: Failure) => void) => Promise<void>

/** Makes {@link MailPasswordLink}: the links of `/forgot-password` and `/not-me`. */
export function createMailPasswordLink ({ passwordLinks, outbox, issuer, site, now }: Options): MailPasswordLink {
  return async (user, { name, address, request }, ended) => {
    const purpose = { mailedTo: address, ttl: FORGOTTEN_LINK_TTL, ...(request === undefined ? {} : { request }) }
    const link = `${issuer}/set-password?link=${await passwordLinks.issue(user, purpose, now())}`
    const { username } = user
    const to = { name: name ?? username, address }
    outbox.put(writePasswordMail({ to, username, link, hours: FORGOTTEN_LINK_TTL / 3_600, isInvitation: false, site }), ended)
  }
}
