/** Why another server could not be asked: fixed words that reveal nothing about it. */
export type FailureCode =
  'unknown host' | 'refused' | 'unreachable' | 'timeout' | 'cut off' | 'certificate' | 'certificate ended' | 'certificate of another' |
  'no tls' | 'no http' | 'port' | 'redirect' | 'status' | 'html' | 'no json' | 'too large' | 'no keys' | 'no revocations' | 'other'

/** An address did not give what was asked for. */
export class AskError extends Error {
  readonly code: FailureCode
  /** Where a redirect leads to, or the status of the answer. */
  readonly detail: string

  constructor (code: FailureCode, message: string, { detail = '', ...options }: ErrorOptions & { detail?: string } = {}) {
    super(message, options)
    this.code = code
    this.detail = detail
  }
}

/** Codes of Node.js, OpenSSL and undici, in this order. */
const KNOWN: Array<[code: RegExp, FailureCode]> = [
  [/^(ENOTFOUND|EAI_AGAIN|EAI_NODATA|EAI_NONAME)$/, 'unknown host'],
  [/^ECONNREFUSED$/, 'refused'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN)$/, 'unreachable'],
  [/^(ETIMEDOUT|TimeoutError|UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT)$/, 'timeout'],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'certificate ended'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'certificate of another'],
  [/^(CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_)/, 'certificate'],
  [/^(EPROTO|ERR_SSL_)/, 'no tls'],
  [/^HPE_/, 'no http'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'cut off']
]

/** Says why a call failed, by the codes along `cause`. */
export function failureOf (error: unknown): FailureCode {
  if (error instanceof AskError) return error.code
  if (!(error instanceof Error)) return 'other'
  // as: what Node throws has a code; DOMException has a number there, and its name.
  const { code, name, message, cause } = error as Error & { code?: unknown }
  if (message === 'bad port') return 'port'
  const found = KNOWN.find(([known]) => [code, name].some(it => typeof it === 'string' && known.test(it)))
  return found?.[1] ?? failureOf(cause)
}

/** Whether it was not reached at all: it may be stopped, or there may be no way to it from here. */
export function isOutOfReach (error: unknown): boolean {
  return ['unknown host', 'refused', 'unreachable', 'timeout', 'cut off'].includes(failureOf(error))
}
