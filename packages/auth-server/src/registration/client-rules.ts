import { whyNotOutgoing } from '@frontdesk/service-kit/outgoing/outgoing'
import { arePublic } from './credentials.js'
import { whyNotDocumentUrl } from './document-url.js'
import { whyNotCallback } from '../oauth/redirect-uri.js'
import { isConsole } from '../oauth/console-client.js'
import { parseScope } from '../oauth/scope.js'

/** The ids of users. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const AUTH0_ID = /^[A-Za-z0-9_-]{1,50}\|[\x21-\x7e]{1,200}$/

/** Whether a text has the form of a user's id: a UUID, or one of Auth0. No client_id resembles it (RFC 9068 §5). */
export function isUserId (text: string): boolean {
  return UUID.test(text) || AUTH0_ID.test(text)
}

/** Why a text is not a valid client_id, in a sentence; `null` if it is. A URL names a client that has a metadata document. */
export function whyNotClientId (id: string): string | null {
  if (id.startsWith('https://')) return whyNotDocumentUrl(id, false)
  if (isConsole({ id })) return `The client_id ${id} is reserved for the administration console.`
  if (!/^[A-Za-z0-9._-]{1,100}$/.test(id)) return 'The client_id must be 1 to 100 of the characters A-Z a-z 0-9 . _ -'
  // RFC 9068 §5: the `sub` of a token must not be mistaken for a client.
  if (UUID.test(id)) return 'The client_id has the form of a UUID, which is reserved for the ids of users.'
  return null
}

/** Why a text is not a valid default scope (RFC 6749 §3.3), in a sentence; `null` if it is. */
export function whyNotDefaultScope (scope: string): string | null {
  if (parseScope(scope).join(' ') === scope) return null
  return 'The default scope must be scopes of printable ASCII characters other than " and \\, each once, with one space between them.'
}

/** The scopes that a client can request, as stored. @param text `*`: any */
export function allowedScopeOf (text: string): string | null {
  return text === '*' ? null : text
}

/** Why allowed scopes are invalid, in a sentence; `null` if they are valid. @param allowed `null`: any */
export function whyNotAllowedScope (allowed: string | null, defaultScope: string): string | null {
  if (allowed === null) return null
  const scopes = parseScope(allowed)
  if (scopes.length === 0 || scopes.join(' ') !== allowed) {
    return 'The allowed scope must be * or scopes of printable ASCII characters other than " and \\, each once, with one space between them.'
  }
  const missing = parseScope(defaultScope).find(it => !scopes.includes(it))
  return missing === undefined ? null : `The default scope has ${missing}, which is not in the allowed scope.`
}

/** Why a URI cannot get logout tokens (OpenID Connect Back-Channel Logout §2.2), in a sentence; `null` if it can. */
export function whyNotLogoutUri (uri: string): string | null {
  const reason = whyNotCallback(uri, [])
  if (uri.includes('#')) return 'The address for logout tokens has a fragment, which is never sent.'
  if (reason !== null) return reason.replaceAll('callback', 'address for logout tokens')
  return /^https?:/.test(uri) ? null : 'The address for logout tokens must be https; http is for loopback hosts only.'
}

/** Why a URI is not a valid address of a client's keys, in a sentence; `null` if it is. */
export function whyNotKeyAddress (uri: string): string | null {
  const why = whyNotOutgoing(uri, true)
  return why === null ? null : `The address of the keys must be ${why}.`
}

/** Why a client cannot have these keys, in a sentence; `null` if it can. @param jwks JSON of a JWK Set */
export function whyNotKeys (jwks: string): string | null {
  // as: `arePublic` checks it.
  const { keys } = JSON.parse(jwks) as { keys?: unknown }
  return arePublic(keys) ? null : 'The keys must all be public: each with kty, none with d or k.'
}

/** Why a URI is not a valid resource (RFC 8707 §2), in a sentence; `null` if it is. */
export function whyNotResource (uri: string): string | null {
  if (uri.length > 2000) return 'The resource is longer than 2000 characters.'
  if (uri.includes('#')) return 'The resource has a fragment, which RFC 8707 §2 forbids.'
  if (/[^\x21-\x7e]|["<>\\^`{|}]|%(?![0-9a-fA-F]{2})/.test(uri)) {
    return 'The resource contains a character or an escape that is invalid in a URI (RFC 3986 §2).'
  }
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:./.test(uri) || !URL.canParse(uri)) return 'The resource is not an absolute URI.'
  return null
}

/** Why a text is not a valid lifetime in seconds, in a sentence; `null` if it is. */
export function whyNotTtl (text: string, { minimum, maximum }: { minimum: number, maximum: number }): string | null {
  const isIn = /^\d{1,9}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum
  return isIn ? null : `The lifetime of access tokens must be a whole number of seconds from ${minimum} to ${maximum}.`
}

interface Grants { readonly implicit: string, readonly grantTypes: readonly string[] }

/** The grants of a client, with the implicit grant. */
export function grantsOf ({ implicit, grantTypes }: Grants): string[] {
  return [...grantTypes, ...implicit === 'off' ? [] : ['implicit']]
}

/** Whether a client needs a callback, because a grant sends responses there. */
export function needsCallback ({ implicit, grantTypes }: Grants): boolean {
  return implicit !== 'off' || grantTypes.includes('authorization_code')
}
