import { whyNotOutgoing } from '@frontdesk/service-kit/outgoing/outgoing'
import { arePublic } from './credentials.js'
import { whyNotDocumentUrl } from './document-url.js'
import { whyNotCallback } from '../oauth/redirect-uri.js'
import { isConsole } from '../oauth/console-client.js'
import { allowedOf, parseScope } from '../oauth/scope.js'
import { reason, type Reason } from '../languages/reason.js'
import { outgoingRule } from './outgoing-rule.js'

/** The ids of users. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const AUTH0_ID = /^[A-Za-z0-9_-]{1,50}\|[\x21-\x7e]{1,200}$/

/** Whether a text has the form of a user's id: a UUID, or one of Auth0. No client_id resembles it (RFC 9068 §5). */
export function isUserId (text: string): boolean {
  return UUID.test(text) || AUTH0_ID.test(text)
}

/** Why a text is not a valid client_id; `null` if it is. A URL names a client that has a metadata document. */
export function whyNotClientId (id: string): Reason | null {
  if (id.startsWith('https://')) return whyNotDocumentUrl(id, false)
  if (isConsole({ id })) return reason('reason.client-id-console', { id })
  if (!/^[A-Za-z0-9._-]{1,100}$/.test(id)) return reason('reason.client-id')
  // RFC 9068 §5: the `sub` of a token must not be mistaken for a client.
  if (UUID.test(id)) return reason('reason.client-id-uuid')
  return null
}

/** Why a text is not a valid default scope (RFC 6749 §3.3); `null` if it is. */
export function whyNotDefaultScope (scope: string): Reason | null {
  return parseScope(scope).join(' ') === scope ? null : reason('reason.default-scope')
}

/** The scopes that a client can request, as stored. @param text `*`: any */
export function allowedScopeOf (text: string): string | null {
  return text === '*' ? null : text
}

/** Why allowed scopes are invalid; `null` if they are valid. @param allowed `null`: any */
export function whyNotAllowedScope (allowed: string | null, defaultScope: string): Reason | null {
  if (allowed === null) return null
  const scopes = parseScope(allowed)
  if (scopes.length === 0 || scopes.join(' ') !== allowed) return reason('reason.allowed-scope')
  const missing = parseScope(defaultScope).find(it => !allowedOf([it], allowed).includes(it))
  return missing === undefined ? null : reason('reason.allowed-scope-missing', { scope: missing })
}

/** Why a URI cannot get logout tokens (OpenID Connect Back-Channel Logout §2.2); `null` if it can. */
export function whyNotLogoutUri (uri: string): Reason | null {
  if (uri.includes('#')) return reason('uri.fragment-logout')
  const why = whyNotCallback(uri, [], 'logout-address')
  if (why !== null || /^https?:/.test(uri)) return why
  return reason('uri.https', { what: reason('reason.noun.logout-address') })
}

/** Why a URI is not a valid address of a client's keys; `null` if it is. */
export function whyNotKeyAddress (uri: string): Reason | null {
  const why = whyNotOutgoing(uri, true)
  return why === null ? null : reason('reason.key-address', { rule: outgoingRule(why) })
}

/** Why a client cannot have these keys; `null` if it can. @param jwks JSON of a JWK Set */
export function whyNotKeys (jwks: string): Reason | null {
  // as: `arePublic` checks it.
  const { keys } = JSON.parse(jwks) as { keys?: unknown }
  return arePublic(keys) ? null : reason('reason.keys-public')
}

/** Why a URI is not a valid resource (RFC 8707 §2); `null` if it is. */
export function whyNotResource (uri: string): Reason | null {
  const what = reason('reason.noun.resource')
  if (uri.length > 2000) return reason('reason.text-long', { what, longest: 2000 })
  if (uri.includes('#')) return reason('uri.fragment-resource')
  if (/[^\x21-\x7e]|["<>\\^`{|}]|%(?![0-9a-fA-F]{2})/.test(uri)) return reason('uri.characters', { what })
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:./.test(uri) || !URL.canParse(uri)) return reason('uri.relative', { what })
  return null
}

/** Why a text is not a valid lifetime in seconds; `null` if it is. */
export function whyNotTtl (text: string, { minimum, maximum }: { minimum: number, maximum: number }): Reason | null {
  const isIn = /^\d{1,9}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum
  return isIn ? null : reason('reason.ttl', { minimum, maximum })
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
