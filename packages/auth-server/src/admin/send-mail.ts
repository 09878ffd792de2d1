import { quote } from '@frontdesk/service-kit/showable'
import type { Mail } from '../mail/mailer.js'
import type { SmtpConfig } from '../settings/mail.js'
import { reason, type Reason } from '../languages/reason.js'

/** Sends an email while the operator waits. Returns why it was not sent; `undefined`: it was. */
export async function sendMail (mail: Mail, server: SmtpConfig): Promise<Reason | undefined> {
  // Loaded on demand: most actions send none.
  const { createSmtpMailer } = await import('../mail/smtp.js')
  try {
    await createSmtpMailer(server).send(mail)
    return undefined
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    return reason('reason.mail-not-sent', { address: quote(mail.to.address), error: said })
  }
}
