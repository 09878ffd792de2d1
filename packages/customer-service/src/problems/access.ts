import { define } from './define.js'

/** No access token was sent. */
export const tokenMissing = define('token-missing', 401, 'An access token is needed', {
  cause: 'The request has no Authorization header with the scheme Bearer. Tokens in the query or in a form are not read.',
  fix: 'Sign in at the authorization server, and send the access token in the Authorization header.',
  example: 'GET /rest/qa/customer/1',
  challenge: ''
})

/** The access token cannot be used. */
export const tokenInvalid = define('token-invalid', 401, 'The access token is not valid', {
  cause: 'The token is malformed, has ended, was revoked, is not valid yet, is for another service, or was not signed by the authorization server that this service trusts.',
  fix: 'Sign in again, and use the new token. If that does not help, compare iss and aud of the token with the metadata at /.well-known/oauth-protected-resource.',
  example: 'GET /rest/qa/customer/1\nAuthorization: Bearer a-token-that-has-ended',
  challenge: 'invalid_token'
})

/** The access token does not allow this operation. */
export const scopeMissing = define('scope-missing', 403, 'The access token lacks a scope', {
  cause: 'Looking up needs the scope customer:read, registering and changing customer:write, removing customer:delete.',
  fix: 'Sign in again, and ask for the scope that the answer names.',
  example: 'DELETE /rest/qa/customer/1\nAuthorization: Bearer a-token-with-customer:read-only',
  challenge: 'insufficient_scope'
})

/** The token was sent in a way that cannot be understood. */
export const authorizationRepeated = define('authorization-repeated', 400, 'The Authorization header is repeated', {
  cause: 'The request has more than one Authorization header, so it is not clear which token counts.',
  fix: 'Send one Authorization header.',
  example: 'GET /rest/qa/customer/1\nAuthorization: Bearer one-token\nAuthorization: Bearer another-token',
  challenge: 'invalid_request'
})

/** It is not known whether a token was revoked. */
export const revocationsUnavailable = define('revocations-unavailable', 503, 'It is not known whether the access token was revoked', {
  cause: 'This service has not reached the authorization server for longer than it trusts what it knows of revoked access.',
  fix: 'Try again after the seconds in Retry-After. The operator finds the reason in the log.',
  example: 'GET /rest/qa/customer/1\nAuthorization: Bearer a-token',
  headers: { 'Retry-After': '5' }
})

/** Tokens cannot be checked yet. */
export const keysUnavailable = define('keys-unavailable', 503, 'Access tokens cannot be checked yet', {
  cause: 'This service has not reached the authorization server since it started, and so has no keys to check tokens with.',
  fix: 'Try again after the seconds in Retry-After. The operator finds the reason in the log.',
  example: 'GET /rest/qa/customer/1\nAuthorization: Bearer a-token',
  headers: { 'Retry-After': '2' }
})
