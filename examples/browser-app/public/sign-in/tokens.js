// The authorization server's endpoints, and reading, renewing and revoking its tokens.

/** Why a sign-in failed, in sentences for the user. An app can translate them by their names. */
const sentences = {
  insecure: 'Sign-in needs https or localhost, and this page is at {origin}. ' +
    'Open its https address, or http://localhost on the computer that runs it.',
  unreachable: 'Can\'t reach the authorization server. Try again in a moment.',
  wrongServer: 'The authorization server is {found}, but this app expects {issuer}. Its operator must set ISSUER.',
  otherTab: 'This response doesn\'t belong to a sign-in from this tab. Sign in again.',
  otherServer: 'This response isn\'t from {issuer}, so it was ignored. Sign in again.',
  denied: 'You denied this app access.',
  grantRefused: 'The authorization server doesn\'t allow this grant for this app. Choose the other one, or contact its operator.',
  busy: 'The authorization server is busy. Try again in a minute.',
  failed: 'The authorization server failed. Try again later.',
  refused: 'The authorization server refused: {description}',
  ended: 'Your session expired. Sign in again.',
  noToken: 'The response has no usable access token. Sign in again.',
  noIdToken: 'The response has no ID token. Sign in again.',
  otherIdToken: 'The ID token doesn\'t belong to this sign-in. Sign in again.',
  clock: 'The ID token has expired. Correct this device\'s clock, then sign in again.'
}

/** The reasons of the server's errors (RFC 6749 §4.1.2.1, §5.2); others have the reason `refused`. */
const errors = { __proto__: null, access_denied: 'denied', invalid_grant: 'ended', temporarily_unavailable: 'busy', server_error: 'failed' }

/** The server refused, or its response cannot be trusted. If `temporary`, retrying can help. */
export class SignInError extends Error {
  /**
   * @param {string} reason the name of a sentence
   * @param {Record<string, string>} [values] those of the sentence; `code` is the server's error, such as `login_required`
   */
  constructor (reason, values = {}) {
    super(sentences[reason].replace(/{(\w+)}/g, (place, name) => values[name]))
    this.reason = reason
    this.values = values
    this.temporary = ['unreachable', 'busy', 'failed'].includes(reason)
  }
}

/**
 * Reads the endpoints' URLs (OpenID Connect Discovery §4). The server lets browsers cache them.
 * @param {string} issuer
 * @param {RequestInit} [options]
 * @returns {Promise<Record<string, string>>} by their names in the specification, such as `token_endpoint`
 * @throws {SignInError}
 */
export async function discover (issuer, options) {
  const found = await fetch(`${issuer}/.well-known/openid-configuration`, { signal: AbortSignal.timeout(15_000), ...options })
    .then(response => response.ok ? response.json() : null)
    .catch(() => null)
  if (found === null) throw new SignInError('unreachable')
  // §4.3: a document for another issuer would send the user and the code there.
  if (found.issuer !== issuer) throw new SignInError('wrongServer', { found: found.issuer, issuer })
  return found
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
 * @param {{ scope: string, unauthorized?: string }} asked the requested scope, and the reason if this app must not use the grant
 * @returns {Promise<Tokens>}
 * @throws {SignInError}
 */
export async function readTokens (coming, { scope, unauthorized = 'ended' }) {
  const given = await Promise.resolve(coming).catch(() => { throw new SignInError('unreachable') })
  const { error: code, error_description: description = code } = given
  if (code) throw new SignInError(code === 'unauthorized_client' ? unauthorized : errors[code] ?? 'refused', { code, description })
  const { access_token: token, refresh_token: refresh, id_token: idToken, token_type: type, expires_in: lifetime } = given
  if (!token || type?.toLowerCase() !== 'bearer' || !(Number(lifetime) > 0)) throw new SignInError('noToken')
  const scopes = (given.scope ?? scope).split(' ').filter(Boolean)
  return { token, refresh, idToken, scopes, endsAt: Date.now() + Number(lifetime) * 1000 }
}

/** Exchanges a refresh token, which spends it (RFC 6749 §6). `resource`: of another API (RFC 8707 §2.2). @throws {SignInError} */
export async function renew ({ refresh, scopes, idToken, name }, { issuer, clientId, resource = '' }) {
  const fields = { grant_type: 'refresh_token', refresh_token: refresh, client_id: clientId, ...resource && { resource } }
  return { ...await readTokens(post(issuer, 'token_endpoint', fields).then(it => it.json()), { scope: scopes.join(' ') }), idToken, name }
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
