// The tokens of a sign-in: what the server gave, a new access token when it ends, and giving them back.

/**
 * @typedef {object} Tokens
 * @property {string} token the access token
 * @property {string} [refresh] the refresh token, of the code grant only; each is good for one use
 * @property {string[]} scopes
 * @property {number} endsAt when the access token ends, in milliseconds, as `Date.now()`
 */

/** The server refused, or its answer is not to be trusted. The message is for the person who signs in. */
export class SignInError extends Error {}

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
  const { access_token: token, refresh_token: refresh, token_type: type, expires_in: lifetime } = given
  if (!token || type?.toLowerCase() !== 'bearer' || !(Number(lifetime) > 0)) {
    throw new SignInError('The answer does not contain a usable access token. Sign in again.')
  }
  return { token, refresh, scopes: (given.scope ?? scope).split(' ').filter(Boolean), endsAt: Date.now() + Number(lifetime) * 1000 }
}

/**
 * Gets new tokens for a refresh token, without the person (RFC 6749 §6).
 * @param {Tokens} tokens
 * @param {{ issuer: string, clientId: string }} config
 * @returns {Promise<Tokens>} the refresh token is a new one; the old one is spent
 * @throws {SignInError}
 */
export async function renew ({ refresh, scopes }, { issuer, clientId }) {
  const answer = post(`${issuer}/token`, { grant_type: 'refresh_token', refresh_token: refresh, client_id: clientId })
  return readTokens(answer.then(response => response.json()), { scope: scopes.join(' ') })
}

/**
 * Ends the access that was given (RFC 7009). A refresh token ends with every access token that came by it; else
 * it would stay good for weeks after this app has forgotten it.
 * @param {Tokens} tokens
 * @param {{ issuer: string, clientId: string }} config
 * @returns {Promise<boolean>} false when the server could not be asked
 */
export async function revoke ({ token, refresh }, { issuer, clientId }) {
  return post(`${issuer}/revoke`, { token: refresh ?? token, client_id: clientId }).then(({ ok }) => ok, () => false)
}

function post (url, fields) {
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
