// OpenID Connect: finding out who signed in, and signing out of the authorization server.
import { discover, SignInError } from './tokens.js'

const pendingKey = 'frontdesk.sign-out'

/**
 * Finds out who signed in (OpenID Connect Core §3.1.3.7, §5.3).
 * @param {import('./tokens.js').Tokens} tokens
 * @param {{ issuer: string, clientId: string, nonce: string }} expected
 * @returns {Promise<string | undefined>} the name, or else the user name; undefined if the server returns neither
 * @throws {SignInError} if the ID token is not for this sign-in
 */
export async function identify ({ token, idToken }, { issuer, clientId, nonce }) {
  const claims = checkIdToken(idToken, { issuer, clientId, nonce })
  const { userinfo_endpoint: endpoint } = await discover(issuer)
  const headers = { authorization: `Bearer ${token}` }
  // The user can work without a name.
  const told = await fetch(endpoint, { headers, signal: AbortSignal.timeout(15_000) }).then(response => response.json()).catch(() => ({}))
  // §5.3.2: another user's claims must not be used.
  const person = told.sub === claims.sub ? { ...claims, ...told } : claims
  return person.name || person.preferred_username
}

/**
 * Checks an ID token's claims. It comes from the token endpoint over TLS, or from this machine, which replaces the
 * signature check (OpenID Connect Core §3.1.3.7, item 6). For an ID token from anywhere else, check the signature.
 */
function checkIdToken (idToken, { issuer, clientId, nonce }) {
  const claims = claimsOf(idToken)
  if (!claims) throw new SignInError('noIdToken')
  const [audience, ...others] = [claims.aud].flat()
  if (!claims.sub || claims.iss !== issuer || audience !== clientId || others.length > 0 || claims.nonce !== nonce) {
    throw new SignInError('otherIdToken')
  }
  if (!(claims.exp * 1000 > Date.now())) throw new SignInError('clock')
  return claims
}

/** A JWT's claims (RFC 7519 §3), unverified; undefined if it is not a JWT. */
export function claimsOf (jwt) {
  try {
    const text = atob(jwt.split('.')[1].replaceAll('-', '+').replaceAll('_', '/'))
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(text, letter => letter.charCodeAt(0))))
  } catch {}
}

/** Redirects to the authorization server, which signs the user out and sends the browser back (RP-Initiated Logout §2). */
export async function signOutThere (idToken, { issuer }) {
  const { end_session_endpoint: endpoint } = await discover(issuer)
  const state = crypto.randomUUID()
  sessionStorage.setItem(pendingKey, state)
  location.assign(`${endpoint}?` + new URLSearchParams({ id_token_hint: idToken, post_logout_redirect_uri: `${location.origin}/`, state }))
}

/** @returns {boolean} whether the browser has just come back from there; removes the response from the URL (§3) */
export function cameBack () {
  const state = new URLSearchParams(location.search).get('state')
  if (state === null || state !== sessionStorage.getItem(pendingKey)) return false
  sessionStorage.removeItem(pendingKey)
  history.replaceState(null, '', '/')
  return true
}
