import type { Config } from '../config.js'
import type { Notice } from '../mail/notices.js'
import { siteName } from '../settings/site-name.js'
import { sendsMail } from '../settings/mail.js'
import { createNotMeLinks } from '../sign-in/not-me-link.js'
import type { Stores } from '../stores/stores.js'
import { sendMail } from './send-mail.js'
import type { UserDetails } from './user-details.js'
import type { Reason } from '../languages/reason.js'

/**
 * Emails a user about a change while the operator waits. Returns why it was not sent; `undefined`: it was, or email is off,
 * or the user has no verified address.
 */
export async function sendNotice (
  { clock }: Pick<Stores, 'clock'>, user: UserDetails, notice: Notice, config: Config
): Promise<Reason | undefined> {
  const { mail, defaultLanguage } = config
  if (!sendsMail(mail)) return undefined
  // Loaded on demand, with the languages: most actions send no email.
  const { recipientOf } = await import('../mail/recipient.js')
  const recipient = await recipientOf(user, defaultLanguage)
  if (recipient === null) return undefined
  const { writeNotice } = await import('../mail/notices.js')
  const about = { userId: user.id, mailedTo: recipient.to.address, what: notice.what }
  const link = await createNotMeLinks(config).issue(about, clock.now())
  return await sendMail(writeNotice(notice, { ...recipient, site: siteName(config), link }), mail)
}
