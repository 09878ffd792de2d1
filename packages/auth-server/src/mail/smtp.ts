import type { MailConfig } from '../settings/mail.js'
import type { Mail, Mailer } from './mail.js'

/** How long a server may take for a mail, in milliseconds. */
export const SEND_TIMEOUT_MS = 30_000
/** How long it may take to connect and greet, and to go on at any point, in milliseconds. */
const STEP_TIMEOUT_MS = 10_000
/** Longest response of a server, in bytes. */
const MAX_RESPONSE = 64 * 1_024

/** Options of nodemailer for a connection: none of them waits for minutes, as its defaults do. */
export const connectionLimits = {
  connectionTimeout: STEP_TIMEOUT_MS,
  greetingTimeout: STEP_TIMEOUT_MS,
  socketTimeout: STEP_TIMEOUT_MS,
  dnsTimeout: STEP_TIMEOUT_MS,
  maxResponseSize: MAX_RESPONSE
} as const

/** An address without quotes, comments and lists, in which nodemailer would find other addresses. */
const PLAIN = /^[^\s@<>()[\]",;:\\]+@[^\s@<>()[\]",;:\\]+$/

/** Sends mails through a server (RFC 5321), a connection each. nodemailer is loaded with the first one. */
export function createSmtpMailer ({ server, from }: Exclude<MailConfig, 'shown' | undefined>): Mailer {
  return {
    async send ({ to, ...mail }: Mail, signal) {
      if (!PLAIN.test(to.address)) throw new TypeError('the address cannot receive email')
      const { createTransport } = await import('nodemailer')
      const timeout = AbortSignal.timeout(SEND_TIMEOUT_MS)
      await createTransport({ ...connectionLimits, ...server, disableFileAccess: true, disableUrlAccess: true }).sendMail({
        ...mail,
        from,
        to,
        envelope: { from: from.address, to: [to.address] },
        // RFC 3834 §5: no out-of-office replies.
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout])
      })
    }
  }
}

/** Whether a server has refused a mail for good (RFC 5321 §4.2.1), so that a retry is useless. */
export function isRefused (error: unknown): boolean {
  return error instanceof Error && 'responseCode' in error && Number(error.responseCode) >= 500
}
