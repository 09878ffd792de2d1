import { adminErrors } from './admin-errors.js'
import { errors, technicalOf, type PublicError } from './errors.js'
import { httpErrors } from './http-errors.js'
import { message, type Text } from '../languages/translator.js'

/** A kind of error, with the content of its page. The page's address is the `type` of the problem (RFC 9457 §3.1.1). */
export interface Problem {
  /** Last part of its address, `/problems/{name}`. */
  readonly name: string
  readonly status: number
  readonly title: Text
  readonly advice: Text
  /** How a developer fixes it; `undefined` if `advice` suffices. */
  readonly fix: string | undefined
  /** `error` of RFC 6749 §4.2.2.1 or §5.2; `undefined` if it is not an error of the protocol. */
  readonly error: string | undefined
}

/** How a developer fixes errors that a client causes. */
const fixes: Partial<Record<keyof typeof errors | keyof typeof httpErrors, string>> = {
  uriTooLong: 'Keep the authorization request below 8,000 characters. Store what you need in the app, and send only a key to it in state.',
  malformedRequest: 'Encode each name and value with encodeURIComponent or URLSearchParams. Send exactly one Host header.',
  incompleteRequest: 'Send client_id and response_type once each, in the query of GET /authorize or in the form of POST /authorize.',
  unknownClient: 'Compare client_id with the output of frontdesk-auth client list. A disabled app gets the same response.',
  unreadableClient: 'Serve the document at the client_id as the how-to for MCP clients shows: JSON of at most 10 KiB, status 200, without a redirect.',
  tooManyDocuments: 'Send Cache-Control with the document, so that it is fetched less often.',
  invalidCallback: 'Send redirect_uri byte for byte as it is registered. frontdesk-auth client show lists the registered ones. The log has the full comparison under the page\'s reference.',
  invalidRequest: 'The description names the parameter. Send it once, with a valid value.',
  unsupportedResponseType: 'Send response_type=code or response_type=token.',
  unauthorizedClient: 'Register the app for the grant: frontdesk-auth client update --help.',
  implicitEnded: 'Use the authorization code grant with PKCE. The page /leave-implicit shows the steps.',
  codeChallengeMissing: 'Send code_challenge, the base64url SHA-256 of the code_verifier, and code_challenge_method=S256 (RFC 7636 §4.3).',
  invalidTarget: 'Send a resource that the app is registered for, or omit the parameter.',
  invalidClient: 'Check the client_id, the secret and the authentication method that the app is registered with.',
  invalidGrant: 'A code is valid for one minute and one exchange, a refresh token for one use. Send the same client_id and redirect_uri as before. If that does not help, let the user sign in again.',
  unsupportedGrantType: 'The metadata document lists the grant types in grant_types_supported.',
  unauthorizedGrant: 'Register the app for the grant: frontdesk-auth client update --help.',
  invalidScope: 'Request the scopes that the user allowed, or fewer.',
  loginRequired: 'Send the request without prompt=none, so that the user can sign in.',
  consentRequired: 'Send the request without prompt=none, so that the user can give consent.',
  authorizationPending: 'Poll again after interval seconds (RFC 8628 §3.5).',
  slowDown: 'Add five seconds to the interval, for this and all later requests (RFC 8628 §3.5).',
  expiredToken: 'Send another device authorization request, and show its user code.',
  deviceDenied: 'Show that the app got no access. Send another device authorization request only if the user starts again.',
  pushedRequestTooLong: 'Store what you need in the app, and send only a key to it in state.',
  tooManyPushedRequests: 'A request that is too long for an address counts until the user decides or its page expires, after 30 minutes. At most 1,000 count at once. Shorten what you send in state.',
  tooManyDevices: 'Wait for the time in Retry-After. A device needs one request for each sign-in, not one for each poll.',
  registrationRefused: 'The description names the invalid member of the metadata and the reason (RFC 7591 §2).',
  registrationTokenMissing: 'Send Authorization: Bearer, with the token that the operator gave you, or with the registration_access_token.',
  registrationTokenInvalid: 'To register, send the token that the operator gave you. To manage a registration, send the latest registration_access_token (RFC 7592 §2).',
  registrationsFull: 'Ask the operator for a token: frontdesk-auth registration token.',
  tooManyRegistrations: 'Register the app once, and keep its client_id.',
  foreignForm: 'Open the page and send its form in the same browser. A program cannot send the form on behalf of the user.',
  invalidForm: 'Send every field of the page, as application/x-www-form-urlencoded in UTF-8.',
  pathUnknown: 'The document /openapi.json lists every path.',
  methodNotAllowed: 'The Allow header lists the methods.',
  mediaTypeUnsupported: 'Send Content-Type: application/x-www-form-urlencoded.',
  unavailable: 'Wait for the time in Retry-After, then send the request again.',
  overloaded: 'Wait for the time in Retry-After, then retry with exponential backoff. The request was not processed.'
}

/** Every kind of error, by status, then by name. */
export const problems: readonly Problem[] = Object.entries({ ...errors, ...httpErrors, ...adminErrors })
  .map(([kind, entry]) => ({ kind, entry: 'publicError' in entry ? entry.publicError : entry }))
  .map(({ kind, entry }) => ({
    name: problemName(kind),
    status: entry.statusCode,
    ...textsOf(entry),
    // as: the keys of the tables.
    fix: fixes[kind as keyof typeof fixes],
    error: 'error' in entry ? entry.error : undefined
  }))
  .sort((one, other) => one.status - other.status || (one.name < other.name ? -1 : 1))

/** The texts of a problem: those that only developers read are in English. */
function textsOf (entry: PublicError | typeof httpErrors[keyof typeof httpErrors] | typeof adminErrors[keyof typeof adminErrors]) {
  if (!('title' in entry)) return { title: entry.description, advice: entry.advice }
  const { title, advice } = entry
  return { title: 'description' in entry ? technicalOf(entry) ?? message(title) : message(title), advice: message(advice) }
}

/** Name of a kind in an address: `unknownClient` is `unknown-client`. */
export function problemName (kind: string): string {
  return kind.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}
