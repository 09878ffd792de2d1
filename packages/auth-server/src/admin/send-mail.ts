import { quote } from '@frontdesk/service-kit/showable'
import type { Mail } from '../mail/mailer.js'
import type { SmtpConfig } from '../settings/mail.js'

/** Sends an email while the operator waits. Returns why it was not sent, in a sentence; `undefined`: it was. */
export async function sendMail (mail: Mail, server: SmtpConfig): Promise<string | undefined> {
  // Loaded on demand: most actions send none.
  const { createSmtpMailer } = await import('../mail/smtp.js')
  try {
    await createSmtpMailer(server).send(mail)
    return undefined
  } catch (error) {
    return `The email to ${quote(mail.to.address)} was not sent: ${error instanceof Error ? error.message : String(error)}`
  }
}
