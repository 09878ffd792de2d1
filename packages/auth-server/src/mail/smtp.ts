import type { SmtpConfig } from '../settings/mail.js'
import type { Mail, Mailer } from './mailer.js'

/** Timeout for sending an email, in milliseconds. */
export const SEND_TIMEOUT_MS = 30_000
/** Timeout for the connection, for the greeting and for each step, in milliseconds. */
const STEP_TIMEOUT_MS = 10_000
/** Longest response of a server, in bytes. */
const MAX_RESPONSE = 64 * 1_024

/** nodemailer's timeouts for a connection. Its defaults are minutes. */
export const connectionLimits = {
  connectionTimeout: STEP_TIMEOUT_MS,
  greetingTimeout: STEP_TIMEOUT_MS,
  socketTimeout: STEP_TIMEOUT_MS,
  dnsTimeout: STEP_TIMEOUT_MS,
  maxResponseSize: MAX_RESPONSE
} as const

/** An address without quotes, comments and lists, in which nodemailer would find other addresses. */
const PLAIN = /^[^\s@<>()[\]",;:\\]+@[^\s@<>()[\]",;:\\]+$/

/** Sends emails through a server (RFC 5321), one connection each. Loads nodemailer on demand. */
export function createSmtpMailer ({ server, from }: SmtpConfig): Mailer {
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

/** Whether a server has permanently refused an email (RFC 5321 §4.2.1), so that a retry is useless. */
export function isRefused (error: unknown): boolean {
  return error instanceof Error && 'responseCode' in error && Number(error.responseCode) >= 500
}
