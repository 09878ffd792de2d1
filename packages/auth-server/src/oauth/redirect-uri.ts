import { reason, type Reason } from '../languages/reason.js'
import type { Client } from './client.js'

/** Response parameters: a registered query with one of them could be mistaken for a response. */
const RESPONSE_PARAMETERS = [
  'access_token', 'token_type', 'expires_in', 'scope', 'code', 'state', 'iss', 'id_token', 'error', 'error_description',
  'error_uri', 'response'
]

/** What a URI that browsers or logout tokens are sent to is called. */
type CallbackNoun = 'callback' | 'logout-address' | 'post-logout-address'

/**
 * Why a URI is not a valid callback (RFC 6749 §3.1.2, RFC 8252 §7, RFC 9700 §4.1); `null` if it is.
 * @param schemes private-use ones without a dot that the operator allows
 * @param noun what sentences call it; default: a callback
 */
export function whyNotCallback (uri: string, schemes: readonly string[], noun: CallbackNoun = 'callback'): Reason | null {
  const what = reason(`reason.noun.${noun}`)
  if (uri.length > 2000) return reason('reason.text-long', { what, longest: 2000 })
  if (/[^\x21-\x7e]/.test(uri)) return reason('uri.ascii', { what })
  if (/["<>\\^`{|}]/.test(uri) || /%(?![0-9a-fA-F]{2})/.test(uri)) return reason('uri.characters', { what })
  if (uri.includes('#')) return reason('uri.fragment', { what })
  if (!URL.canParse(uri)) return reason('uri.relative', { what })
  const { protocol, hostname, host, username, password, searchParams } = new URL(uri)
  if (protocol === 'https:' || protocol === 'http:') {
    const authority = /^https?:\/\/([^/?]+)/.exec(uri)?.[1]
    if (authority === undefined) return reason('uri.form', { what })
    if (authority.includes('@')) return reason('uri.user', { what })
    if (authority.replace(/:(80|443)?$/, '') !== host && authority !== host) return reason('uri.host-form', { what })
    if (!/^([a-z0-9-]+(\.[a-z0-9-]+)*\.?|\[[0-9a-f:.]+\])$/.test(hostname)) return reason('uri.host-characters', { what })
    if (protocol === 'http:' && !isLoopbackCallbackHost(hostname)) return reason('uri.https', { what })
  } else if (!hasPrivateScheme(uri, schemes)) {
    return schemes.length === 0 ? reason('uri.scheme', { what }) : reason('uri.scheme-admitted', { what, schemes: schemes.join(', ') })
  } else if (username + password !== '') {
    return reason('uri.user', { what })
  }
  if (/(^|[/\\]|%2f|%5c)(\.|%2e){1,2}([/\\?]|%2f|%5c|$)/i.test(uri.replace(/^[a-z0-9+.-]+:(\/\/)?/, ''))) {
    return reason('uri.dots', { what })
  }
  const name = RESPONSE_PARAMETERS.find(it => searchParams.has(it))
  return name === undefined ? null : reason('uri.response-parameter', { what, name })
}

/** Whether a callback has a private-use scheme with a dot (RFC 8252 §7.1), or one that the operator allows. */
function hasPrivateScheme (callback: string, admitted: readonly string[]): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/.exec(callback)?.[1] ?? ''
  return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+$/.test(scheme) || admitted.includes(scheme)
}

/** How two URIs can differ, from the smallest difference to the largest. */
const differences = ['trailing slash', 'case', 'encoding', 'fragment', 'query', 'path', 'port', 'host', 'scheme'] as const

/** How a requested callback differs from a registered one. */
export type CallbackDifference = typeof differences[number]

/**
 * Classifies the first difference between a requested callback and the most similar registered one; `undefined` if none is
 * registered. Callbacks match byte for byte (RFC 9700 §2.1): this only explains a mismatch.
 */
export function classifyMismatch (requested: string, registered: readonly string[]): CallbackDifference | undefined {
  return findNearestCallback(requested, registered)?.difference
}

/** The registered callback that is most similar to a requested one, and the index of the first character that differs. */
export function findNearestCallback (
  requested: string, registered: readonly string[]
): { readonly uri: string, readonly difference: CallbackDifference, readonly position: number } | undefined {
  const found = registered.map(uri => ({ uri, difference: compare(requested, uri), position: commonLength(requested, uri) }))
  const rank = (difference: CallbackDifference) => differences.indexOf(difference)
  return found.sort((one, other) => rank(one.difference) - rank(other.difference) || other.position - one.position)[0]
}

function commonLength (one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

/** Whether a client can request a callback: it is registered byte for byte, or with another port for a native client. */
export function matchesCallback ({ callbacks, native }: Pick<Client, 'callbacks' | 'native'>, requested: string): boolean {
  return callbacks.includes(requested) || (native && callbacks.some(registered => differInPort(requested, registered)))
}

function compare (requested: string, registered: string): CallbackDifference {
  if (requested === `${registered}/` || registered === `${requested}/`) return 'trailing slash'
  if (requested.toLowerCase() === registered.toLowerCase()) return 'case'
  if (decoded(requested) === decoded(registered)) return 'encoding'
  const [a, b] = [split(requested), split(registered)]
  return (['scheme', 'host', 'port', 'path', 'query'] as const).find(part => a[part] !== b[part]) ?? 'fragment'
}

function decoded (uri: string): string {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}

/** RFC 3986 appendix B, with the parts of the authority. Normalizes nothing. */
function split (uri: string) {
  const [, scheme, authority = '', path, query] = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/.exec(uri) ?? []
  const [, host, port] = /^(.*?)(?::(\d*))?$/s.exec(authority) ?? []
  return { scheme, host, port, path, query }
}

/** Hosts of loopback callbacks: those of RFC 8252 §7.3, not all of 127.0.0.0/8. */
const HOST = 'localhost|127\\.0\\.0\\.1|\\[::1\\]'
const ONLY_HOST = new RegExp(`^(${HOST})$`)

/** A loopback callback: scheme and host, the port, and the rest. */
const LOOPBACK = new RegExp(`^(http://(?:${HOST}))(?::([1-9]\\d{0,4}))?((?:[/?].*)?)$`, 's')

/** Whether callbacks with this host can be plain http. */
export function isLoopbackCallbackHost (host: string): boolean {
  return ONLY_HOST.test(host)
}

/** Whether two loopback callbacks differ only in the port: a native app listens on any free one. */
export function differInPort (requested: string, registered: string): boolean {
  const [one, other] = [LOOPBACK.exec(requested), LOOPBACK.exec(registered)]
  if (one === null || other === null) return false
  return Number(one[2] ?? 80) <= 65_535 && one[1] === other[1] && one[3] === other[3]
}

/** A loopback origin without its port; `undefined` for other origins. */
export function loopbackHost (origin: string): string | undefined {
  return LOOPBACK.exec(origin)?.[1]
}
