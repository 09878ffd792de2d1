// The tokens of a sign-in: what the server gave, a new access token when it ends, and giving them back.
import { discover, SignInError } from './provider.js'

/**
 * @typedef {object} Tokens
 * @property {string} token the access token
 * @property {string} [refresh] the refresh token, of the code grant only; each is good for one use
 * @property {string} [idToken] the ID token, of the code grant only: names the person at sign-out
 * @property {string} [name] of the person, if the server tells it
 * @property {string[]} scopes
 * @property {number} endsAt when the access token ends, in milliseconds, as `Date.now()`
 */

/**
 * Reads what the authorization server gave (RFC 6749 §5.1).
 * @param {Promise<object> | object} coming its answer
 * @param {{ scope: string, unauthorized?: string }} asked the scope that was asked for, and what to say if this app may not ask so
 * @returns {Promise<Tokens>}
 * @throws {SignInError}
 */
export async function readTokens (coming, { scope, unauthorized }) {
  const given = await Promise.resolve(coming).catch(() => {
    throw new SignInError('The authorization server does not answer. Sign in again in a moment.')
  })
  if (given.error) throw new SignInError(sentenceFor(given, unauthorized))
  const { access_token: token, refresh_token: refresh, id_token: idToken, token_type: type, expires_in: lifetime } = given
  if (!token || type?.toLowerCase() !== 'bearer' || !(Number(lifetime) > 0)) {
    throw new SignInError('The answer does not contain a usable access token. Sign in again.')
  }
  const scopes = (given.scope ?? scope).split(' ').filter(Boolean)
  return { token, refresh, idToken, scopes, endsAt: Date.now() + Number(lifetime) * 1000 }
}

/**
 * Gets new tokens for a refresh token, without the person (RFC 6749 §6).
 * @param {Tokens} tokens
 * @param {{ issuer: string, clientId: string }} config
 * @returns {Promise<Tokens>} the refresh token is a new one, the old one is spent; the person is the same
 * @throws {SignInError}
 */
export async function renew ({ refresh, scopes, idToken, name }, { issuer, clientId }) {
  const answer = post(issuer, 'token_endpoint', { grant_type: 'refresh_token', refresh_token: refresh, client_id: clientId })
  const renewed = await readTokens(answer.then(response => response.json()), { scope: scopes.join(' ') })
  return { ...renewed, idToken, name }
}

/**
 * Ends the access that was given (RFC 7009). A refresh token ends with every access token that came by it; else
 * it would stay good for weeks after this app has forgotten it.
 * @param {Tokens} tokens
 * @param {{ issuer: string, clientId: string }} config
 * @returns {Promise<boolean>} false when the server could not be asked
 */
export async function revoke ({ token, refresh }, { issuer, clientId }) {
  return post(issuer, 'revocation_endpoint', { token: refresh ?? token, client_id: clientId }).then(({ ok }) => ok, () => false)
}

async function post (issuer, endpoint, fields) {
  const { [endpoint]: url } = await discover(issuer)
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), signal: AbortSignal.timeout(15_000) })
}

function sentenceFor ({ error, error_description: description }, unauthorized) {
  switch (error) {
    case 'access_denied': return 'You did not allow this app to use the customer register. Nothing was granted.'
    case 'temporarily_unavailable': return 'The authorization server is busy. Try again in a minute.'
    case 'server_error': return 'The authorization server has a problem. Try again later.'
    case 'invalid_grant': return 'Your access has ended. Sign in again.'
    case 'unauthorized_client': return unauthorized ?? 'Your access has ended. Sign in again.'
    default: return `The authorization server refused: ${description ?? error}`
  }
}
