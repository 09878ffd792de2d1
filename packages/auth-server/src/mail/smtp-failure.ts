import { short } from '@frontdesk/service-kit/doctor/explain'
import { classifyFailure, type FailureCode } from '@frontdesk/service-kit/outgoing/failure'
import { reason, type Reason } from '../languages/reason.js'
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

type ReasonKind =
  'host' | 'refused' | 'unreachable' | 'timeout' | 'certificate' | 'certificate-ended' | 'certificate-other' | 'no-tls' | 'cut-off'

type Explanation = [why: Reason, remedy: Reason]

/** Why a mail server cannot be used, and what to do. */
export function explainSmtpFailure (failure: SmtpFailure, { server, from }: SmtpConfig): Explanation {
  const { host, port, secure, auth } = server
  const values = { name: host, place: `${host}:${port}`, said: short(failure.message) }
  // 530: the server requires authentication (RFC 4954 §6).
  if (failure.code === 'EAUTH' || failure.responseCode === 530) {
    return auth === undefined
      ? [reason('smtp.user', values), reason('smtp.user.remedy')]
      : [reason('smtp.password', { ...values, user: auth.user }), reason('smtp.password.remedy')]
  }
  if (failure.command === 'MAIL FROM') return [reason('smtp.sender', { ...values, from: from.address }), reason('smtp.sender.remedy')]
  if (failure.command === 'STARTTLS') return [reason('smtp.no-starttls', values), reason('smtp.no-starttls.remedy')]
  const kind = kinds[classifyFailure(Object.assign(new Error(), { code: failure.originalCode ?? failure.code }))]
  if (kind === 'timeout') return [reason('smtp.timeout', values), reason(`smtp.timeout.remedy-${secure ? 'starttls' : 'tls'}`)]
  return kind === undefined
    ? [reason('smtp.other', values), reason('smtp.other.remedy')]
    : [reason(`smtp.${kind}`, values), reason(`smtp.${kind}.remedy`)]
}

/** The failures that have a reason of their own. */
const kinds: Partial<Record<FailureCode, ReasonKind>> = {
  'unknown host': 'host',
  refused: 'refused',
  unreachable: 'unreachable',
  timeout: 'timeout',
  certificate: 'certificate',
  'certificate ended': 'certificate-ended',
  'certificate of another': 'certificate-other',
  'no tls': 'no-tls',
  'cut off': 'cut-off'
}
