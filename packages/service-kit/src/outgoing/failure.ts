/** Why a request to another server failed, without details of that server. */
export type FailureCode =
  'unknown host' | 'refused' | 'unreachable' | 'timeout' | 'cut off' | 'certificate' | 'certificate ended' | 'certificate of another' |
  'no tls' | 'no http' | 'port' | 'redirect' | 'status' | 'html' | 'no json' | 'too large' | 'no keys' | 'no revocations' | 'other'

/** A document could not be fetched. */
export class FetchError extends Error {
  readonly code: FailureCode
  /** The target of a redirect, or the status. */
  readonly detail: string

  constructor (code: FailureCode, message: string, { detail = '', ...options }: ErrorOptions & { detail?: string } = {}) {
    super(message, options)
    this.code = code
    this.detail = detail
  }
}

/** Codes and names of errors in Node.js, OpenSSL and undici; the first match counts. */
const KNOWN: Array<[code: RegExp, FailureCode]> = [
  [/^(ENOTFOUND|EAI_AGAIN|EAI_NODATA|EAI_NONAME)$/, 'unknown host'],
  [/^ECONNREFUSED$/, 'refused'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN)$/, 'unreachable'],
  [/^(ETIMEDOUT|TimeoutError|UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT)$/, 'timeout'],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'certificate ended'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'certificate of another'],
  [/^(CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_)/, 'certificate'],
  [/^(EPROTO|ERR_SSL_)/, 'no tls'],
  // By name: since Node.js 24, undici sets no code.
  [/^(HPE_|HTTPParserError$)/, 'no http'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/, 'cut off']
]

/** Finds why a request failed, by the codes of its chain of causes. */
export function classifyFailure (error: unknown): FailureCode {
  if (error instanceof FetchError) return error.code
  if (!(error instanceof Error)) return 'other'
  // as: what Node throws has a code; DOMException has a number there, and its name.
  const { code, name, message, cause } = error as Error & { code?: unknown }
  if (message === 'bad port') return 'port'
  const found = KNOWN.find(([known]) => [code, name].some(it => typeof it === 'string' && known.test(it)))
  return found?.[1] ?? classifyFailure(cause)
}

/** Whether the server could not be reached. */
export function isOutOfReach (error: unknown): boolean {
  return ['unknown host', 'refused', 'unreachable', 'timeout', 'cut off'].includes(classifyFailure(error))
}
