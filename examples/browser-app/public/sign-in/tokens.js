// The authorization server's endpoints, and reading, renewing and revoking its tokens.

/** The server refused, or its response cannot be trusted. The message is for the user; apps can translate it by `reason`. */
export class SignInError extends Error {
  /** @param {string} message @param {{ reason?: string, values?: Record<string, string>, temporary?: boolean, code?: string }} options
   * if `temporary`, retrying can help; `code` is the server's, such as `login_required` */
  constructor (message, { reason, values, temporary = false, code } = {}) {
    super(message)
    this.reason = reason
    this.values = values
    this.temporary = temporary
    this.code = code
  }
}

/**
 * Reads the endpoints' URLs (OpenID Connect Discovery §4). The server lets browsers cache them.
 * @param {string} issuer @param {RequestInit} [options]
 * @returns {Promise<Record<string, string>>} by their names in the specification, such as `token_endpoint` @throws {SignInError}
 */
export async function discover (issuer, options) {
  const found = await fetch(`${issuer}/.well-known/openid-configuration`, { signal: AbortSignal.timeout(15_000), ...options })
    .then(response => response.ok ? response.json() : null)
    .catch(() => null)
  if (found === null) throw new SignInError('Can\'t reach the authorization server. Try again in a moment.', { reason: 'unreachable', temporary: true })
  // §4.3: a document for another issuer would send the user and the code there.
  if (found.issuer === issuer) return found
  throw new SignInError(`The authorization server is ${found.issuer}, but this app expects ${issuer}. Its operator must set ISSUER.`, { reason: 'wrongServer', values: { found: found.issuer, issuer } })
}

/**
 * @typedef {object} Tokens
 * @property {string} token the access token
 * @property {string} [refresh] the refresh token, only with the code grant; each works once
 * @property {string} [idToken] the ID token, only with the code grant: identifies the user at sign-out
 * @property {string} [name] the user's name, if the server returns it
 * @property {string[]} scopes
 * @property {number} endsAt when the access token expires, in milliseconds, like `Date.now()`
 */

/**
 * Reads the token response (RFC 6749 §5.1).
 * @param {Promise<Record<string, any>> | Record<string, any>} coming the response
 * @param {{ scope: string, unauthorized?: SignInError }} asked the requested scope, and the error if this app must not use the grant
 * @returns {Promise<Tokens>} @throws {SignInError}
 */
export async function readTokens (coming, { scope, unauthorized = ended() }) {
  const given = await Promise.resolve(coming).catch(() => {
    throw new SignInError('Can\'t reach the authorization server. Sign in again in a moment.', { reason: 'unreachable', temporary: true })
  })
  if (given.error) throw refusal(given, unauthorized)
  const { access_token: token, refresh_token: refresh, id_token: idToken, token_type: type, expires_in: lifetime } = given
  if (!token || type?.toLowerCase() !== 'bearer' || !(Number(lifetime) > 0)) {
    throw new SignInError('The response has no usable access token. Sign in again.', { reason: 'noToken' })
  }
  return { token, refresh, idToken, scopes: (given.scope ?? scope).split(' ').filter(Boolean), endsAt: Date.now() + Number(lifetime) * 1000 }
}

/** Exchanges a refresh token for new tokens, which spends it (RFC 6749 §6). The user stays the same. @throws {SignInError} */
export async function renew ({ refresh, scopes, idToken, name }, { issuer, clientId }) {
  const coming = post(issuer, 'token_endpoint', { grant_type: 'refresh_token', refresh_token: refresh, client_id: clientId })
  return { ...await readTokens(coming.then(response => response.json()), { scope: scopes.join(' ') }), idToken, name }
}

/**
 * Revokes the access (RFC 7009). Revoking a refresh token revokes every access token issued from it.
 * @returns {Promise<boolean>} false if the server is unreachable or refuses
 */
export async function revoke ({ token, refresh }, { issuer, clientId }) {
  return post(issuer, 'revocation_endpoint', { token: refresh ?? token, client_id: clientId }).then(({ ok }) => ok, () => false)
}

/** Sends a form to an endpoint. */
export async function post (issuer, endpoint, fields) {
  const { [endpoint]: url } = await discover(issuer)
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), signal: AbortSignal.timeout(15_000) })
}

const ended = () => new SignInError('Your session expired. Sign in again.', { reason: 'ended' })

/** @param {Record<string, any>} answer @param {SignInError} unauthorized */
function refusal ({ error, error_description: description = error }, unauthorized) {
  switch (error) {
    case 'access_denied': return new SignInError('You denied this app access.', { reason: 'denied' })
    case 'temporarily_unavailable': return new SignInError('The authorization server is busy. Try again in a minute.', { reason: 'busy', temporary: true })
    case 'server_error': return new SignInError('The authorization server failed. Try again later.', { reason: 'failed', temporary: true })
    case 'invalid_grant': return ended()
    case 'unauthorized_client': return unauthorized
    default: return new SignInError(`The authorization server refused: ${description}`, { reason: 'refused', values: { description }, code: error })
  }
}
