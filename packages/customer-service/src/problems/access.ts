import { define } from './define.js'

export const tokenMissing = define('token-missing', 401, 'An access token is required', {
  cause: 'The request has no Authorization header with the scheme Bearer. Tokens in the query or in a form are not read.',
  fix: 'Sign in at the authorization server, and send the access token in the Authorization header.',
  example: 'GET /rest/qa/customer/1',
  challenge: ''
})

export const tokenInvalid = define('token-invalid', 401, 'The access token is not valid', {
  cause: 'The token is malformed, expired, revoked, not valid yet, issued for another service, or not signed by the authorization server that this service trusts.',
  fix: 'Sign in again, and use the new token. If that does not help, compare iss and aud of the token with the metadata at /.well-known/oauth-protected-resource.',
  example: 'GET /rest/qa/customer/1\nAuthorization: Bearer a-token-that-has-ended',
  challenge: 'invalid_token'
})

export const tokenBound = define('token-bound', 401, 'The access token is bound to a key', {
  cause: 'The token\'s cnf claim binds it to a key (DPoP, RFC 9449), but the request uses the Bearer scheme. A bound token is valid only with a proof from its key.',
  fix: 'Send the token as Authorization: DPoP, with a DPoP proof in the header DPoP.',
  example: 'GET /rest/qa/customer/1\nAuthorization: Bearer a-bound-token',
  challenge: 'invalid_token'
})

export const proofInvalid = define('proof-invalid', 401, 'The DPoP proof is not valid', {
  cause: 'The DPoP proof is missing, repeated, malformed or already used, or is for another method, address, access token, key or time.',
  fix: 'Make a new proof for each request, with htm, htu without the query, ath, jti, iat and the nonce of the last response, signed with the token\'s key.',
  example: 'GET /rest/qa/customer/1\nAuthorization: DPoP a-bound-token',
  challenge: 'invalid_dpop_proof'
})

export const proofNonceMissing = define('proof-nonce-missing', 401, 'The DPoP proof needs a nonce', {
  cause: 'The DPoP proof has no nonce from this service, or one older than three minutes. Nonces from other servers are not accepted.',
  fix: 'Read the nonce from the response\'s DPoP-Nonce header, and send the request again with a new proof. Each response has the nonce for the next request.',
  example: 'GET /rest/qa/customer/1\nAuthorization: DPoP a-bound-token\nDPoP: a-proof-without-nonce',
  challenge: 'use_dpop_nonce'
})

export const scopeMissing = define('scope-missing', 403, 'The access token is missing a scope', {
  cause: 'Reading requires the scope customer:read, adding and changing customer:write, removing customer:delete.',
  fix: 'Sign in again, and request the scope in WWW-Authenticate.',
  example: 'DELETE /rest/qa/customer/1\nAuthorization: Bearer a-token-with-customer:read-only',
  challenge: 'insufficient_scope'
})

export const originForbidden = define('origin-forbidden', 403, 'The origin is not allowed', {
  cause: 'A web page sent the request to /mcp, and its origin is not in the setting CORS_ORIGINS.',
  fix: 'Send the request from a program, or let the operator add the origin of the page to CORS_ORIGINS.',
  example: 'POST /mcp\nOrigin: https://elsewhere.example\nContent-Type: application/json\n\n{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
})

export const signInInsufficient = define('sign-in-insufficient', 401, 'A stronger or more recent sign-in is required', {
  cause: 'The operator requires a second factor or a recent sign-in to export or erase customers. The acr or auth_time of the access token does not meet that.',
  fix: 'Send the user to the authorization server with the acr_values and max_age in WWW-Authenticate, then repeat the request with the new token (RFC 9470).',
  example: 'POST /rest/qa/customer/1/erase\nAuthorization: Bearer a-token',
  challenge: 'insufficient_user_authentication'
})

export const userMissing = define('user-missing', 403, 'The access token has no user', {
  cause: 'The operator requires a user\'s sign-in to export or erase customers, but the access token belongs to a client that acts on its own behalf.',
  fix: 'Use a user\'s access token. For a job without a user, the operator can add the client to STEP_UP_CLIENTS.',
  example: 'POST /rest/qa/customer/1/erase\nAuthorization: Bearer a-token-without-a-user'
})

export const authorizationRepeated = define('authorization-repeated', 400, 'The Authorization header is repeated', {
  cause: 'The request has more than one Authorization header, so it is ambiguous which token to use.',
  fix: 'Send one Authorization header.',
  example: 'GET /rest/qa/customer/1\nAuthorization: Bearer one-token\nAuthorization: Bearer another-token',
  challenge: 'invalid_request'
})

export const revocationsUnavailable = define('revocations-unavailable', 503, 'Access tokens cannot be checked for revocation', {
  cause: 'This service has not reached the authorization server, and its list of revocations is too old to trust.',
  fix: 'Retry after the seconds in Retry-After. The service\'s log has the reason.',
  example: 'GET /rest/qa/customer/1\nAuthorization: Bearer a-token',
  headers: { 'Retry-After': '5' }
})

export const keysUnavailable = define('keys-unavailable', 503, 'Access tokens cannot be checked yet', {
  cause: 'This service has not yet fetched the keys of the authorization server, which verify access tokens.',
  fix: 'Retry after the seconds in Retry-After. The service\'s log has the reason.',
  example: 'GET /rest/qa/customer/1\nAuthorization: Bearer a-token',
  headers: { 'Retry-After': '2' }
})

export const rateLimitExceeded = define('rate-limit-exceeded', 429, 'Too many requests', {
  cause: 'This user sent more requests with this app than the operator allows in a time window. This request was not processed.',
  fix: 'Wait for the seconds in Retry-After. Each response\'s RateLimit header has the remaining requests (r) and the seconds until the window ends (t).',
  example: 'GET /rest/qa/customer/1\nAuthorization: Bearer a-token'
})
