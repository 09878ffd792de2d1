import type { Config } from '../config.js'
import { recipientOf } from '../mail/recipient.js'
import { siteName } from '../settings/brand.js'
import { sendsMail } from '../settings/mail.js'
import { createEmailLinks } from '../sign-in/email-link.js'
import { isUnverified, writeLinkMail } from '../sign-in/email-verification.js'
import type { Stores } from '../stores/stores.js'
import { sendMail } from './send-mail.js'
import { stateOf, type UserDetails } from './user-details.js'

/** Where a link to verify a changed address was emailed to; and why an email was not sent, in sentences. */
export interface AddressMails { readonly mailedTo?: string, readonly mailFailure?: string }

/**
 * Sends the same emails as a change at the account page: a notice to the previous address, if it was verified, and a link that verifies
 * the new one. An invited user verifies it with the invitation.
 * @param readConfig called only if the address has changed: commands need no other settings
 */
export async function mailAddressChange (
  stores: Pick<Stores, 'profiles' | 'clock'>,
  { before, after }: { readonly before: UserDetails, readonly after: UserDetails },
  readConfig: () => Config
): Promise<AddressMails> {
  if (before.email === after.email || stateOf(after) !== 'enabled') return {}
  const config = readConfig()
  const { mail: server, issuer } = config
  if (!sendsMail(server)) return {}
  const [site, previous] = [siteName(config), recipientOf(before)]
  const failures: Array<string | undefined> = []
  if (previous !== null) {
    const { writeAddressMail } = await import('../mail/address-mail.js')
    failures.push(await sendMail(writeAddressMail({ ...previous, site }), server))
  }
  let mailedTo: string | undefined
  if (isUnverified(after)) {
    const emailLinks = createEmailLinks(stores.profiles, config)
    const failure = await sendMail(await writeLinkMail(after, { emailLinks, issuer, site, now: stores.clock.now() }), server)
    failures.push(failure)
    if (failure === undefined) mailedTo = after.email
  }
  const mailFailure = failures.filter(it => it !== undefined).join(' ')
  return { ...mailedTo !== undefined && { mailedTo }, ...mailFailure !== '' && { mailFailure } }
}
