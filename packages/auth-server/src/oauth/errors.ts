import { asDescription } from './error-text.js'

/** The public part of an error: fixed for each kind and parameter, never a value of the request. */
export interface PublicError {
  /** Code of RFC 6749 §4.1.2.1/§4.2.2.1, or of the RFC that adds it. */
  readonly error: string
  /** HTTP status where the error is not sent to a callback. */
  readonly statusCode: number
  /** `error_description`, and the headline of the page. Contains none of `? % & # + " \`. */
  readonly description: string
  /** The headline of the page, if it differs from the description. */
  readonly headline?: string
  /** What the user can do. */
  readonly advice: string
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
  readonly headline: string
  readonly advice: string
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
    this.headline = publicError.headline ?? publicError.description
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

const APP = 'The app that sent you here made a mistake. Go back to the app and try again. If this keeps happening, contact its developer.'
const DEVICE = 'The device doesn\'t have access yet. Return to it, and start again there if it doesn\'t continue.'
const AGAIN = 'The app wasn\'t given access. Start again here or in the app.'

/** Every error of the protocol, by kind: call it with the reason. */
export const errors = makers({
  uriTooLong: { recipient: 'user', error: 'invalid_request', statusCode: 414, description: 'This page\'s address is too long.', advice: APP },
  malformedRequest: { recipient: 'user', error: 'invalid_request', statusCode: 400, description: 'This page\'s address is malformed.', advice: APP },
  incompleteRequest: { recipient: 'user', error: 'invalid_request', statusCode: 400, description: 'This page\'s address is incomplete.', advice: 'This page opens from an app. Go back to the app and sign in there. If this keeps happening, contact its developer.' },
  unknownClient: { recipient: 'user', error: 'invalid_client', statusCode: 400, description: 'The app that sent you here is not registered.', advice: APP },
  unreadableClient: { recipient: 'user', error: 'invalid_client', statusCode: 400, description: 'This server cannot read the metadata document of the app that sent you here.', headline: 'This server can\'t read the metadata document of the app that sent you here.', advice: APP },
  tooManyDocuments: { recipient: 'user', error: 'temporarily_unavailable', statusCode: 429, description: 'Too many apps are being looked up right now.', advice: 'Wait a few minutes, then go back to the app and try again.' },
  tooManyApps: { recipient: 'user', error: 'temporarily_unavailable', statusCode: 503, description: 'This server accepts no more apps that registered themselves.', advice: 'Apps that you\'ve used before still work. Contact your administrator.' },
  tooManyOwnApps: { recipient: 'user', error: 'temporarily_unavailable', statusCode: 409, description: 'You have reached the limit of 100 apps that registered themselves.', advice: 'On your account page, remove an app that you no longer use. Then go back to the app and try again.' },
  otherClient: { recipient: 'user', error: 'invalid_request', statusCode: 400, description: 'The request identifies two different apps.', advice: APP },
  invalidCallback: { recipient: 'user', error: 'invalid_request', statusCode: 400, description: 'The app requested a redirect to an address that is not registered for it.', advice: APP },
  invalidRequest: { recipient: 'client', error: 'invalid_request', statusCode: 400, description: 'The request is missing a parameter, repeats one or has an invalid value.', advice: APP },
  unsupportedResponseType: { recipient: 'client', error: 'unsupported_response_type', statusCode: 400, description: 'This server does not support the response type.', advice: APP },
  unauthorizedClient: { recipient: 'client', error: 'unauthorized_client', statusCode: 400, description: 'The client is not allowed to use this response type.', advice: APP },
  implicitEnded: { recipient: 'client', error: 'unauthorized_client', statusCode: 400, description: 'The implicit grant has ended for this client. Use response_type=code with PKCE (RFC 7636).', advice: APP },
  requestNotSupported: { recipient: 'client', error: 'request_not_supported', statusCode: 400, description: 'This server does not support request objects.', advice: APP },
  requestUriNotSupported: { recipient: 'client', error: 'request_uri_not_supported', statusCode: 400, description: 'This server does not support the request_uri parameter.', advice: APP },
  pushedRequestMissing: { recipient: 'client', error: 'invalid_request', statusCode: 400, description: 'The client must push its authorization requests (RFC 9126).', advice: APP },
  pushedRequestTooLong: { recipient: 'client', error: 'invalid_request', statusCode: 413, description: 'The request is too long.', advice: APP },
  tooManyPushedRequests: { recipient: 'client', error: 'temporarily_unavailable', statusCode: 429, description: 'This client has too many long requests in use. Try again in a few minutes, or send shorter requests.', advice: APP },
  endedPushedRequest: { recipient: 'user', error: 'invalid_request_uri', statusCode: 400, description: 'This sign-in has expired, or its address is damaged.', advice: 'Go back to the app and start again there.' },
  openidMissing: { recipient: 'client', error: 'invalid_request', statusCode: 400, description: 'This response type returns an ID token, so the scope must include openid.', advice: APP },
  codeChallengeMissing: { recipient: 'client', error: 'invalid_request', statusCode: 400, description: 'The request needs a code_challenge made with the code_challenge_method S256.', advice: APP },
  invalidTarget: { recipient: 'client', error: 'invalid_target', statusCode: 400, description: 'The client is not allowed to request tokens for this resource.', advice: APP },
  invalidClient: { recipient: 'client', error: 'invalid_client', statusCode: 401, description: 'Client authentication failed.', advice: APP },
  invalidDpopProof: { recipient: 'client', error: 'invalid_dpop_proof', statusCode: 400, description: 'The DPoP proof is not valid.', advice: APP },
  dpopNonceMissing: { recipient: 'client', error: 'use_dpop_nonce', statusCode: 400, description: 'The DPoP proof needs the nonce in the header DPoP-Nonce.', advice: APP },
  invalidGrant: { recipient: 'client', error: 'invalid_grant', statusCode: 400, description: 'The grant is unknown, expired, used or revoked, or belongs to another client or request.', advice: APP },
  unsupportedGrantType: { recipient: 'client', error: 'unsupported_grant_type', statusCode: 400, description: 'This server does not support the grant type.', advice: APP },
  unauthorizedGrant: { recipient: 'client', error: 'unauthorized_client', statusCode: 400, description: 'The client is not allowed to use this grant type.', advice: APP },
  invalidScope: { recipient: 'client', error: 'invalid_scope', statusCode: 400, description: 'The scope exceeds the scope that was granted.', advice: APP },
  emptyScope: { recipient: 'client', error: 'invalid_scope', statusCode: 400, description: 'The client is not allowed to request these scopes, or the user is not allowed to grant them.', advice: APP },
  loginRequired: { recipient: 'client', error: 'login_required', statusCode: 400, description: 'The user is not signed in, and the request does not allow a sign-in page.', headline: 'You aren\'t signed in.', advice: APP },
  unmetAuthentication: { recipient: 'client', error: 'unmet_authentication_requirements', statusCode: 400, description: 'This server cannot meet the required acr values.', advice: APP },
  consentRequired: { recipient: 'client', error: 'consent_required', statusCode: 400, description: 'The user must give consent, and the request does not allow a consent page.', headline: 'You haven\'t allowed access yet.', advice: APP },
  authorizationPending: { recipient: 'client', error: 'authorization_pending', statusCode: 400, description: 'The user has not decided yet. Poll again after the interval.', advice: DEVICE },
  slowDown: { recipient: 'client', error: 'slow_down', statusCode: 400, description: 'The device polls too often. Increase the interval by five seconds.', advice: DEVICE },
  expiredToken: { recipient: 'client', error: 'expired_token', statusCode: 400, description: 'The device code has expired. Request a new one.', advice: DEVICE },
  deviceDenied: { recipient: 'client', error: 'access_denied', statusCode: 400, description: 'The user denied access to the device.', advice: DEVICE },
  tooManyDevices: { recipient: 'client', error: 'temporarily_unavailable', statusCode: 429, description: 'Too many devices are requesting access. Try again after the time in Retry-After.', advice: DEVICE },
  unknownUserCode: { recipient: 'user', error: 'invalid_request', statusCode: 400, description: 'This code is wrong, has expired or was already used.', advice: 'Compare it with the code that your device shows. If they are the same, get a new code on the device.' },
  tooManyUserCodes: { recipient: 'user', error: 'invalid_request', statusCode: 429, description: 'Too many wrong codes were entered.', advice: 'Wait 15 minutes, then get a new code on your device.' },
  notAdmitted: { recipient: 'client', error: 'access_denied', statusCode: 403, description: 'The user is not allowed to use this client.', headline: 'You don\'t have access to this app.', advice: 'Ask your administrator for access.' },
  accessDenied: { recipient: 'client', error: 'access_denied', statusCode: 403, description: 'The user denied access.', headline: 'You denied access.', advice: AGAIN },
  registrationRefused: { recipient: 'client', error: 'invalid_client_metadata', statusCode: 400, description: 'The client metadata is invalid.', advice: APP },
  registrationTokenMissing: { recipient: 'client', error: 'invalid_token', statusCode: 401, description: 'The Authorization header has no token.', advice: APP },
  registrationTokenInvalid: { recipient: 'client', error: 'invalid_token', statusCode: 401, description: 'The token is unknown, expired, used up, replaced, or for another app.', advice: APP },
  registrationsFull: { recipient: 'client', error: 'temporarily_unavailable', statusCode: 503, description: 'Too many apps have registered themselves. Try again later.', advice: APP },
  tooManyRegistrations: { recipient: 'client', error: 'temporarily_unavailable', statusCode: 429, description: 'Too many registrations from this address. Try again after the time in Retry-After.', advice: APP },
  foreignForm: { recipient: 'user', error: 'invalid_request', statusCode: 403, description: 'This form does not belong to this browser and request.', advice: AGAIN },
  expiredForm: { recipient: 'user', error: 'invalid_request', statusCode: 410, description: 'This page was open for too long.', advice: AGAIN },
  spentForm: { recipient: 'user', error: 'invalid_request', statusCode: 400, description: 'This page has already been used.', advice: 'The app already has its response. If it shows that you\'re signed in, close this page. If not, start again.' },
  endedPasswordLink: { recipient: 'user', error: 'invalid_request', statusCode: 410, description: 'This link has expired, or was used before.', advice: 'If you just used it to set your password, sign in. If not, request a new link.' },
  endedEmailLink: { recipient: 'user', error: 'invalid_request', statusCode: 410, description: 'This link has expired, or your email address has changed.', advice: 'You can request a new link on your account page.' },
  endedNotMeLink: { recipient: 'user', error: 'invalid_request', statusCode: 410, description: 'This link no longer works.', advice: 'It has expired or was already used, or your account is disabled. If you just used it, check your email for a link to set a new password.' },
  endedSignUpLink: { recipient: 'user', error: 'invalid_request', statusCode: 410, description: 'This link has expired, or was used before.', advice: 'If you have an account, sign in. If not, request a new link to create one.' },
  endedFactorLink: { recipient: 'user', error: 'invalid_request', statusCode: 410, description: 'This set-up link no longer works.', advice: 'Ask your administrator for a new one.' },
  endedForm: { recipient: 'user', error: 'invalid_request', statusCode: 409, description: 'Your session or the app\'s access was revoked while this page was open.', advice: AGAIN },
  cookiesOff: { recipient: 'user', error: 'invalid_request', statusCode: 403, description: 'Your browser blocks cookies.', advice: 'You can\'t sign in without cookies. Allow cookies for this site in your browser\'s settings, then start again.' },
  invalidForm: { recipient: 'user', error: 'invalid_request', statusCode: 400, description: 'The form is incomplete.', advice: AGAIN }
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

/** Makes an error of client metadata (RFC 7591 §3.2.2). @param sentence what is wrong; a value of the request only by `shortOf` */
export function metadataError (sentence: string, error: 'invalid_client_metadata' | 'invalid_redirect_uri' = 'invalid_client_metadata'): OAuthError {
  return new OAuthError({ ...errors.registrationRefused.publicError, error, description: asDescription(sentence) }, sentence)
}

function makers<K extends string> (table: Record<K, Omit<PublicError, 'kind'>>): Record<K, ErrorMaker> {
  const entries = Object.entries<Omit<PublicError, 'kind'>>(table).map(([kind, entry]) => {
    const publicError = { ...entry, kind }
    const maker: ErrorMaker = Object.assign(
      (...parts: [string, OAuthError['facts']?, OAuthError['shown']?]) => new OAuthError(publicError, ...parts), { publicError }
    )
    return [kind, maker]
  })
  // as: the entries have the keys of the table.
  return Object.fromEntries(entries) as Record<K, ErrorMaker>
}
