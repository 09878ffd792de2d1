import { classifyFailure, type FailureCode } from './failure.js'

/** Why a request was not sent or got no response. */
type OutgoingCode = FailureCode | 'url' | 'address' | 'busy'

const CAUSES: Partial<Record<OutgoingCode, string>> = {
  url: 'the address must be https, without user name and fragment; http is only for loopback, where private networks are allowed',
  address: 'the address is not a public one, and private networks are not allowed here',
  busy: 'too many requests are in progress',
  'unknown host': 'the name is not known',
  refused: 'nothing listens there',
  unreachable: 'there is no route to it',
  timeout: 'the response took too long',
  'cut off': 'the connection was closed without an answer',
  certificate: 'the TLS certificate was signed by an unknown authority',
  'certificate ended': 'the TLS certificate has expired, or is not valid yet',
  'certificate of another': 'the TLS certificate is for other names',
  'no tls': 'it does not speak TLS, or no version that we support',
  'no http': 'it does not speak HTTP',
  'too large': 'the response is too large'
}

/** A request to another server failed. `message` names the host and the cause, and shows neither path nor query. */
export class OutgoingError extends Error {
  readonly code: OutgoingCode

  constructor (code: OutgoingCode, host: string, options?: ErrorOptions) {
    super(`The request to ${host.slice(0, 300)} failed: ${CAUSES[code] ?? 'the connection failed'}.`, options)
    this.code = code
  }
}

/** Wraps a connection's error. */
export function outgoingError (host: string, cause: unknown): OutgoingError {
  return cause instanceof OutgoingError ? cause : new OutgoingError(classifyFailure(cause), host, { cause })
}
