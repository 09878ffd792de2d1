import type { Config } from '../config.js'
import { addressChanged } from '../mail/account-notices.js'
import { siteName } from '../settings/site-name.js'
import { sendsMail } from '../settings/mail.js'
import { createEmailLinks } from '../sign-in/email-link.js'
import { isUnverified, writeVerificationMail } from '../sign-in/email-verification.js'
import type { Stores } from '../stores/stores.js'
import { sendMail } from './send-mail.js'
import { sendNotice } from './send-notice.js'
import type { UserDetails } from './user-details.js'

/** Where a link to verify a changed address was emailed to; and why an email was not sent, in sentences. */
export interface AddressMails { readonly mailedTo?: string, readonly mailFailure?: string }

/**
 * Sends the same emails as a change at the account page: a notice to the previous address, if it was verified, and a link that verifies
 * the new one.
 */
export async function mailAddressChange (
  stores: Pick<Stores, 'profiles' | 'clock'>,
  { before, after }: { readonly before: UserDetails, readonly after: UserDetails },
  config: Config
): Promise<AddressMails> {
  const { mail: server, issuer, defaultLanguage: language } = config
  if (!sendsMail(server)) return {}
  const failures = [await sendNotice(stores, before, addressChanged, config)]
  let mailedTo: string | undefined
  if (isUnverified(after)) {
    const emailLinks = createEmailLinks(stores.profiles, config)
    const parts = { emailLinks, issuer, site: siteName(config), now: stores.clock.now() }
    const written = await writeVerificationMail(after, { isProven: true, language }, parts)
    const failure = await sendMail(written, server)
    failures.push(failure)
    if (failure === undefined) mailedTo = after.email
  }
  const mailFailure = failures.filter(it => it !== undefined).join(' ')
  return { ...mailedTo !== undefined && { mailedTo }, ...mailFailure !== '' && { mailFailure } }
}
