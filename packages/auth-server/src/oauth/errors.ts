import { asDescription } from './error-text.js'
import { englishOf, type ErrorAdvice, type ErrorTitle } from './error-texts.js'

/** The public part of an error: fixed for each kind and parameter, never a value of the request. */
export interface PublicError {
  /** Code of RFC 6749 §4.1.2.1/§4.2.2.1, or of the RFC that adds it. */
  readonly error: string
  /** HTTP status where the error is not sent to a callback. */
  readonly statusCode: number
  /** `error_description`, in English. Contains none of `? % & # + " \`. */
  readonly description: string
  /** The headline of the page. */
  readonly title: ErrorTitle
  /** What the user can do. */
  readonly advice: ErrorAdvice
  /** Who receives the error: the client, at its trusted callback, or the user, on a page. */
  readonly recipient: 'client' | 'user'
  /** Name in the table of errors, and of its page below `/problems/`. */
  readonly kind: string
}

/** An error of the protocol. `message` is the precise reason, for the log only. */
export class OAuthError extends Error implements PublicError {
  readonly error: string
  readonly statusCode: number
  readonly description: string
  readonly title: ErrorTitle
  readonly advice: ErrorAdvice
  readonly recipient: 'client' | 'user'
  readonly kind: string
  /** For the log only. */
  readonly facts: Record<string, unknown>
  /** Values of the request that the page shows, as escaped text. */
  readonly shown: { readonly requested?: string, readonly difference?: string, readonly missing?: string, readonly fault?: string }

  constructor (publicError: PublicError, reason: string, facts: OAuthError['facts'] = {}, shown: OAuthError['shown'] = {}) {
    super(reason)
    this.error = publicError.error
    this.statusCode = publicError.statusCode
    this.description = publicError.description
    this.title = publicError.title
    this.advice = publicError.advice
    this.recipient = publicError.recipient
    this.kind = publicError.kind
    this.facts = facts
    this.shown = shown
  }
}

/** Makes errors of one kind: with a reason and facts for the log, and values for the page. */
interface ErrorMaker {
  (reason: string, facts?: OAuthError['facts'], shown?: OAuthError['shown']): OAuthError
  readonly publicError: PublicError
}

/** The headline of errors that only a client's developer can explain. */
const CANNOT_CONTINUE = 'error.cannot-continue'

/** What a page adds for the client's developer, in English; `undefined`: the headline says it. */
export function technicalOf ({ title, description }: Pick<PublicError, 'title' | 'description'>): string | undefined {
  return title === CANNOT_CONTINUE ? description : undefined
}

/** Every error of the protocol, by kind: call it with the reason. */
export const errors = makers({
  uriTooLong: { recipient: 'user', error: 'invalid_request', statusCode: 414, title: 'error.uri-too-long' },
  malformedRequest: { recipient: 'user', error: 'invalid_request', statusCode: 400, title: 'error.malformed-request' },
  incompleteRequest: { recipient: 'user', error: 'invalid_request', statusCode: 400, title: 'error.incomplete-request', advice: 'advice.incomplete' },
  unknownClient: { recipient: 'user', error: 'invalid_client', statusCode: 400, title: 'error.unknown-client' },
  unreadableClient: { recipient: 'user', error: 'invalid_client', statusCode: 400, title: 'error.unreadable-client' },
  tooManyDocuments: { recipient: 'user', error: 'temporarily_unavailable', statusCode: 429, title: 'error.too-many-documents', advice: 'advice.documents' },
  tooManyApps: { recipient: 'user', error: 'temporarily_unavailable', statusCode: 503, title: 'error.too-many-apps', advice: 'advice.apps-full' },
  tooManyOwnApps: { recipient: 'user', error: 'temporarily_unavailable', statusCode: 409, title: 'error.too-many-own-apps', advice: 'advice.own-apps' },
  otherClient: { recipient: 'user', error: 'invalid_request', statusCode: 400, title: 'error.other-client' },
  invalidCallback: { recipient: 'user', error: 'invalid_request', statusCode: 400, title: 'error.invalid-callback' },
  invalidRequest: { recipient: 'client', error: 'invalid_request', statusCode: 400, description: 'The request is missing a parameter, repeats one or has an invalid value.' },
  unsupportedResponseType: { recipient: 'client', error: 'unsupported_response_type', statusCode: 400, description: 'This server does not support the response type.' },
  unauthorizedClient: { recipient: 'client', error: 'unauthorized_client', statusCode: 400, description: 'The client is not allowed to use this response type.' },
  implicitEnded: { recipient: 'client', error: 'unauthorized_client', statusCode: 400, description: 'The implicit grant has ended for this client. Use response_type=code with PKCE (RFC 7636).' },
  requestNotSupported: { recipient: 'client', error: 'request_not_supported', statusCode: 400, description: 'This server does not support request objects.' },
  requestUriNotSupported: { recipient: 'client', error: 'request_uri_not_supported', statusCode: 400, description: 'This server does not support the request_uri parameter.' },
  pushedRequestMissing: { recipient: 'client', error: 'invalid_request', statusCode: 400, description: 'The client must push its authorization requests (RFC 9126).' },
  pushedRequestTooLong: { recipient: 'client', error: 'invalid_request', statusCode: 413, description: 'The request is too long.' },
  tooManyPushedRequests: { recipient: 'client', error: 'temporarily_unavailable', statusCode: 429, description: 'This client has too many long requests in use. Try again in a few minutes, or send shorter requests.' },
  endedPushedRequest: { recipient: 'user', error: 'invalid_request_uri', statusCode: 400, title: 'error.ended-pushed-request', advice: 'advice.pushed' },
  openidMissing: { recipient: 'client', error: 'invalid_request', statusCode: 400, description: 'This response type returns an ID token, so the scope must include openid.' },
  codeChallengeMissing: { recipient: 'client', error: 'invalid_request', statusCode: 400, description: 'The request needs a code_challenge made with the code_challenge_method S256.' },
  invalidTarget: { recipient: 'client', error: 'invalid_target', statusCode: 400, description: 'The client is not allowed to request tokens for this resource.' },
  invalidClient: { recipient: 'client', error: 'invalid_client', statusCode: 401, description: 'Client authentication failed.' },
  invalidDpopProof: { recipient: 'client', error: 'invalid_dpop_proof', statusCode: 400, description: 'The DPoP proof is not valid.' },
  dpopNonceMissing: { recipient: 'client', error: 'use_dpop_nonce', statusCode: 400, description: 'The DPoP proof needs the nonce in the header DPoP-Nonce.' },
  invalidGrant: { recipient: 'client', error: 'invalid_grant', statusCode: 400, description: 'The grant is unknown, expired, used or revoked, or belongs to another client or request.' },
  unsupportedGrantType: { recipient: 'client', error: 'unsupported_grant_type', statusCode: 400, description: 'This server does not support the grant type.' },
  unauthorizedGrant: { recipient: 'client', error: 'unauthorized_client', statusCode: 400, description: 'The client is not allowed to use this grant type.' },
  invalidScope: { recipient: 'client', error: 'invalid_scope', statusCode: 400, description: 'The scope exceeds the scope that was granted.' },
  emptyScope: { recipient: 'client', error: 'invalid_scope', statusCode: 400, description: 'The client is not allowed to request these scopes, or the user is not allowed to grant them.' },
  loginRequired: { recipient: 'client', error: 'login_required', statusCode: 400, description: 'The user is not signed in, and the request does not allow a sign-in page.', title: 'error.login-required' },
  unmetAuthentication: { recipient: 'client', error: 'unmet_authentication_requirements', statusCode: 400, description: 'This server cannot meet the required acr values.' },
  consentRequired: { recipient: 'client', error: 'consent_required', statusCode: 400, description: 'The user must give consent, and the request does not allow a consent page.', title: 'error.consent-required' },
  authorizationPending: { recipient: 'client', error: 'authorization_pending', statusCode: 400, description: 'The user has not decided yet. Poll again after the interval.', advice: 'advice.device' },
  slowDown: { recipient: 'client', error: 'slow_down', statusCode: 400, description: 'The device polls too often. Increase the interval by five seconds.', advice: 'advice.device' },
  expiredToken: { recipient: 'client', error: 'expired_token', statusCode: 400, description: 'The device code has expired. Request a new one.', advice: 'advice.device' },
  deviceDenied: { recipient: 'client', error: 'access_denied', statusCode: 400, description: 'The user denied access to the device.', advice: 'advice.device' },
  tooManyDevices: { recipient: 'client', error: 'temporarily_unavailable', statusCode: 429, description: 'Too many devices are requesting access. Try again after the time in Retry-After.', advice: 'advice.device' },
  unknownUserCode: { recipient: 'user', error: 'invalid_request', statusCode: 400, title: 'error.unknown-user-code', advice: 'advice.user-code' },
  tooManyUserCodes: { recipient: 'user', error: 'invalid_request', statusCode: 429, title: 'error.too-many-user-codes', advice: 'advice.user-codes' },
  notAdmitted: { recipient: 'client', error: 'access_denied', statusCode: 403, description: 'The user is not allowed to use this client.', title: 'error.not-admitted', advice: 'advice.ask-access' },
  accessDenied: { recipient: 'client', error: 'access_denied', statusCode: 403, description: 'The user denied access.', title: 'error.access-denied', advice: 'advice.again' },
  registrationRefused: { recipient: 'client', error: 'invalid_client_metadata', statusCode: 400, description: 'The client metadata is invalid.' },
  registrationTokenMissing: { recipient: 'client', error: 'invalid_token', statusCode: 401, description: 'The Authorization header has no token.' },
  registrationTokenInvalid: { recipient: 'client', error: 'invalid_token', statusCode: 401, description: 'The token is unknown, expired, used up, replaced, or for another app.' },
  registrationsFull: { recipient: 'client', error: 'temporarily_unavailable', statusCode: 503, description: 'Too many apps have registered themselves. Try again later.' },
  tooManyRegistrations: { recipient: 'client', error: 'temporarily_unavailable', statusCode: 429, description: 'Too many registrations from this address. Try again after the time in Retry-After.' },
  foreignForm: { recipient: 'user', error: 'invalid_request', statusCode: 403, title: 'error.foreign-form', advice: 'advice.again' },
  expiredForm: { recipient: 'user', error: 'invalid_request', statusCode: 410, title: 'error.expired-form', advice: 'advice.again' },
  spentForm: { recipient: 'user', error: 'invalid_request', statusCode: 400, title: 'error.spent-form', advice: 'advice.spent' },
  endedPasswordLink: { recipient: 'user', error: 'invalid_request', statusCode: 410, title: 'error.ended-password-link', advice: 'advice.password-link' },
  endedEmailLink: { recipient: 'user', error: 'invalid_request', statusCode: 410, title: 'error.ended-email-link', advice: 'advice.email-link' },
  endedNotMeLink: { recipient: 'user', error: 'invalid_request', statusCode: 410, title: 'error.ended-not-me-link', advice: 'advice.not-me-link' },
  endedSignUpLink: { recipient: 'user', error: 'invalid_request', statusCode: 410, title: 'error.ended-password-link', advice: 'advice.sign-up-link' },
  endedFactorLink: { recipient: 'user', error: 'invalid_request', statusCode: 410, title: 'error.ended-factor-link', advice: 'advice.factor-link' },
  upstreamUnavailable: { recipient: 'user', error: 'temporarily_unavailable', statusCode: 503, title: 'error.upstream-unavailable', advice: 'advice.upstream' },
  upstreamRefused: { recipient: 'user', error: 'invalid_request', statusCode: 502, title: 'error.upstream-refused', advice: 'advice.upstream' },
  upstreamDenied: { recipient: 'user', error: 'access_denied', statusCode: 403, title: 'error.upstream-denied', advice: 'advice.upstream' },
  upstreamEnded: { recipient: 'user', error: 'invalid_request', statusCode: 400, title: 'error.upstream-ended', advice: 'advice.upstream' },
  upstreamUnknown: { recipient: 'user', error: 'access_denied', statusCode: 403, title: 'error.upstream-unknown', advice: 'advice.upstream-unknown' },
  upstreamKnownAddress: { recipient: 'user', error: 'access_denied', statusCode: 409, title: 'error.upstream-known-address', advice: 'advice.upstream-known-address' },
  upstreamTaken: { recipient: 'user', error: 'access_denied', statusCode: 409, title: 'error.upstream-taken', advice: 'advice.upstream-taken' },
  tooManyUpstreamSignIns: { recipient: 'user', error: 'temporarily_unavailable', statusCode: 429, title: 'error.too-many-upstream-sign-ins', advice: 'advice.upstream-wait' },
  endedForm: { recipient: 'user', error: 'invalid_request', statusCode: 409, title: 'error.ended-form', advice: 'advice.again' },
  cookiesOff: { recipient: 'user', error: 'invalid_request', statusCode: 403, title: 'error.cookies-off', advice: 'advice.cookies' },
  invalidForm: { recipient: 'user', error: 'invalid_request', statusCode: 400, title: 'error.invalid-form', advice: 'advice.again' }
})

/**
 * Makes the error `invalid_request` for a parameter, and names it. Never repeats its value.
 * @param name from the code, never from the request
 */
export function parameterError (name: string, what: 'is missing' | 'is repeated' | 'has an invalid value', reason = `${name} ${what}`, facts?: OAuthError['facts']): OAuthError {
  return new OAuthError({ ...errors.invalidRequest.publicError, description: `The parameter ${name} ${what}.` }, reason, facts)
}

/** Makes the error `invalid_request` for a client that uses several authentication methods (RFC 6749 §2.3). */
export function severalClientAuthsError (): OAuthError {
  return new OAuthError({ ...errors.invalidRequest.publicError, description: 'The client authenticates in more than one way. Use one only: the Authorization header, client_secret or client_assertion.' },
    'more than one method of client authentication')
}

/** Makes the error `invalid_target` for a request that names several resources (RFC 8707 §2). */
export function severalResourcesError (): OAuthError {
  return new OAuthError({ ...errors.invalidTarget.publicError, description: 'The request has several resources. Request a token for each.' },
    'resource is repeated')
}

/** Makes the error `invalid_client` for a client with the correct secret that must use another method. @param method as registered */
export function otherClientAuthError (method: string, reason: string, facts: OAuthError['facts']): OAuthError {
  return new OAuthError({ ...errors.invalidClient.publicError, description: `This client is registered for the authentication method ${method}. Use that one.` }, reason, facts)
}

/** Makes the error `invalid_dpop_proof`. @param sentence what is wrong, from the code, without a value of the request */
export function dpopProofError (sentence: string, reason = sentence, facts?: OAuthError['facts']): OAuthError {
  return new OAuthError({ ...errors.invalidDpopProof.publicError, description: sentence }, reason, facts)
}

/**
 * Makes an error of client metadata (RFC 7591 §3.2.2).
 * @param member of the metadata
 * @param fault what is wrong; a value of the request only by `shortOf`
 * @param place of the fault in the member. Default: the member
 */
export function metadataError (member: string, fault: string, place = member): OAuthError {
  const error = member === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata'
  const sentence = `${place}: ${fault}`
  return new OAuthError({ ...errors.registrationRefused.publicError, error, description: asDescription(sentence) }, sentence, { member })
}

/** An error of the table. `description` defaults to the title in English. */
type Entry = Pick<PublicError, 'error' | 'statusCode' | 'recipient'> & Partial<Pick<PublicError, 'description' | 'title' | 'advice'>>

function makers<K extends string> (table: Record<K, Entry>): Record<K, ErrorMaker> {
  const entries = Object.entries<Entry>(table).map(([kind, { title = CANNOT_CONTINUE, ...entry }]) => {
    const publicError = { description: englishOf(title), advice: 'advice.app', title, ...entry, kind } as const
    const maker: ErrorMaker = Object.assign(
      (...parts: [string, OAuthError['facts']?, OAuthError['shown']?]) => new OAuthError(publicError, ...parts), { publicError }
    )
    return [kind, maker]
  })
  // as: the entries have the keys of the table.
  return Object.fromEntries(entries) as Record<K, ErrorMaker>
}
