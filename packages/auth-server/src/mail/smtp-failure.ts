import { short } from '@frontdesk/service-kit/doctor/explain'
import { classifyFailure, type FailureCode } from '@frontdesk/service-kit/outgoing/failure'
import type { SmtpConfig } from '../settings/mail.js'

/** An error of nodemailer. */
export type SmtpFailure = Error & {
  /** nodemailer's code, such as EAUTH. */
  readonly code?: string | undefined
  /** Code of the system or OpenSSL, such as ECONNREFUSED. */
  readonly originalCode?: string | undefined
  /** The SMTP command that failed, if one did. */
  readonly command?: string | undefined
  /** Code of the server's response (RFC 5321 §4.2). */
  readonly responseCode?: number | undefined
}

type Finding = [sentence: string, remedy: string]

/** Why a mail server cannot be used, and what to do. */
export function explainSmtpFailure (failure: SmtpFailure, { server, from }: SmtpConfig): Finding {
  const { host, port, secure, auth } = server
  const place = `${host}:${port}`
  const said = short(failure.message)
  // 530: the server requires authentication (RFC 4954 §6).
  if (failure.code === 'EAUTH' || failure.responseCode === 530) {
    return auth === undefined
      ? [`The mail server ${place} requires a user: ${said}`, 'Add user and password to SMTP_URL: smtp://user:password@host.']
      : [
          `The mail server ${place} refuses the user ${auth.user} or the password: ${said}`,
          'Correct them in SMTP_URL, with other characters than letters and digits percent-encoded.'
        ]
  }
  if (failure.command === 'MAIL FROM') {
    return [`The mail server ${place} refuses email from ${from.address}: ${said}`, 'Set MAIL_FROM to an address that it can send from.']
  }
  if (failure.command === 'STARTTLS') {
    return [
      `The mail server ${place} does not encrypt with STARTTLS: ${said}`,
      'Set SMTP_URL to smtps:// and its port for TLS, mostly 465. On a network of your own, SMTP_TLS=off sends without encryption.'
    ]
  }
  const known: Partial<Record<FailureCode, Finding>> = {
    'unknown host': [`The name ${host} of the mail server is unknown here.`, 'Check the spelling of SMTP_URL.'],
    refused: [`Nothing listens on ${place}, the address of the mail server.`, 'Start it, or correct host and port in SMTP_URL.'],
    unreachable: [`There is no route to the mail server ${host}.`, 'Check the network between the two, and SMTP_URL.'],
    timeout: [
      `The mail server ${place} does not respond in time: ${said}`,
      `Check whether a firewall drops the connection. ${secure ? 'A port for STARTTLS, mostly 587, needs smtp://' : 'A port for TLS, mostly 465, needs smtps://'} in SMTP_URL.`
    ],
    certificate: [
      `The TLS certificate of the mail server ${host} was signed by an unknown authority.`,
      'Set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority.'
    ],
    'certificate ended': [`The TLS certificate of the mail server ${host} has expired, or is not valid yet.`, 'Renew it there; if it is new, check the clock here.'],
    'certificate of another': [`The TLS certificate of the mail server ${host} is for other names.`, 'Set SMTP_URL to a name in the certificate.'],
    'no tls': [
      `The mail server ${place} does not speak TLS from the start.`,
      'Set SMTP_URL to smtp://, which uses STARTTLS, or to its port for TLS, mostly 465.'
    ],
    'cut off': [`The mail server ${place} closed the connection.`, 'Its log says why: it might not allow this machine.']
  }
  return known[classifyFailure(Object.assign(new Error(), { code: failure.originalCode ?? failure.code }))] ??
    [`The mail server ${place} cannot be used: ${said}`, 'Check SMTP_URL and SMTP_TLS.']
}
