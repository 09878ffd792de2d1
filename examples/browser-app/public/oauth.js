// Signing in with the implicit grant: RFC 6749 §4.2, RFC 9207 for `iss`.

const pendingKey = 'frontdesk.sign-in'
const messageType = 'frontdesk.answer'
const scope = 'customer:read customer:write customer:delete'

/** The answer was an error, or is not to be trusted. The message is for the person who signs in. */
export class SignInError extends Error {}

/**
 * Leaves for the authorization server, or opens it in a popup.
 * @returns {boolean} false when the browser blocked the popup
 */
export function signIn ({ issuer, clientId }, { popup = false } = {}) {
  const state = crypto.randomUUID()
  sessionStorage.setItem(pendingKey, JSON.stringify({ state, popup }))
  const url = `${issuer}/authorize?` + new URLSearchParams({
    response_type: 'token',
    client_id: clientId,
    redirect_uri: `${location.origin}/callback`,
    scope,
    state
  })
  if (popup) return window.open(url, 'frontdesk-sign-in', 'popup,width=480,height=720') !== null
  location.assign(url)
  return true
}

/**
 * Takes the answer out of the address, and the address out of the history, before anything else runs.
 * @returns {string | null} the fragment; null when this page is not the callback
 */
export function takeAnswer () {
  if (location.pathname !== '/callback') return null
  const fragment = location.hash.slice(1)
  history.replaceState(null, '', '/')
  return fragment
}

/**
 * In the popup: hands the answer to the page that opened it, and closes.
 * @returns {boolean} false when this is no popup, or nobody waits for it any more
 */
export function handOver (fragment) {
  // A popup starts with a copy of its opener's sessionStorage; that is how it knows what it is.
  const { popup } = JSON.parse(sessionStorage.getItem(pendingKey) ?? '{}')
  if (!popup || !window.opener || window.opener.closed) return false
  window.opener.postMessage({ type: messageType, fragment }, location.origin)
  window.close()
  return true
}

/** In the page that opened a popup: calls `receive(fragment)` with the answer. */
export function onHandOver (receive) {
  window.addEventListener('message', ({ origin, data }) => {
    if (origin === location.origin && data?.type === messageType) receive(data.fragment)
  })
}

/**
 * Checks an answer and reads it.
 * @returns {{ token: string, scopes: string[], endsAt: number }} `endsAt` in milliseconds, as `Date.now()`
 * @throws {SignInError}
 */
export function readAnswer (fragment, { issuer }) {
  const answer = new URLSearchParams(fragment)
  const { state } = JSON.parse(sessionStorage.getItem(pendingKey) ?? '{}')
  sessionStorage.removeItem(pendingKey)

  // First of all: did this tab ask, and does the one answer that was asked?
  if (!state || answer.get('state') !== state) {
    throw new SignInError('This answer does not belong to a sign-in that was started in this tab. Sign in again.')
  }
  if (answer.get('iss') !== issuer) {
    throw new SignInError(`This answer does not come from ${issuer}, so it was thrown away. Sign in again.`)
  }
  if (answer.has('error')) throw new SignInError(sentenceFor(answer))

  const token = answer.get('access_token')
  const lifetime = Number(answer.get('expires_in'))
  if (!token || answer.get('token_type')?.toLowerCase() !== 'bearer' || !(lifetime > 0)) {
    throw new SignInError('This answer holds no access token that this app can use. Sign in again.')
  }
  return {
    token,
    scopes: (answer.get('scope') ?? scope).split(' ').filter(Boolean),
    endsAt: Date.now() + lifetime * 1000
  }
}

function sentenceFor (answer) {
  switch (answer.get('error')) {
    case 'access_denied': return 'You did not allow this app to use the customer register. Nothing was granted.'
    case 'temporarily_unavailable': return 'The authorization server is busy. Try again in a minute.'
    case 'server_error': return 'The authorization server has a problem. Try again later.'
    case 'unauthorized_client': return 'The authorization server does not let this app sign in this way. Ask its operator.'
    default: return `The authorization server refused: ${answer.get('error_description') ?? answer.get('error')}`
  }
}
