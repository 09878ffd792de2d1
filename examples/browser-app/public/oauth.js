// Signing in: RFC 6749 §4, RFC 9207 for `iss`. How the token comes is in flows.js.
import { flows } from './flows.js'
import { readTokens, SignInError } from './tokens.js'

const pendingKey = 'frontdesk.sign-in'
const messageType = 'frontdesk.answer'
const scope = 'customer:read customer:write customer:delete'

/**
 * Leaves for the authorization server, or opens it in a popup.
 * @param {{ issuer: string, clientId: string }} config
 * @param {{ flow: keyof flows, popup?: boolean }} how
 * @returns {Promise<boolean>} false when the browser blocked the popup
 */
export async function signIn ({ issuer, clientId }, { flow, popup = false }) {
  const state = crypto.randomUUID()
  const { parameters, kept } = await flows[flow].ask()
  sessionStorage.setItem(pendingKey, JSON.stringify({ state, flow, popup, ...kept }))
  const url = `${issuer}/authorize?` + new URLSearchParams({
    ...parameters,
    client_id: clientId,
    redirect_uri: callback(),
    scope,
    state
  })
  if (popup) return window.open(url, 'frontdesk-sign-in', 'popup,width=480,height=720') !== null
  location.assign(url)
  return true
}

/**
 * Takes the answer out of the address, and the address out of the history, before anything else runs.
 * @returns {string | null} the fragment or the query, whichever it came in; null when this page is not the callback
 */
export function takeAnswer () {
  if (location.pathname !== '/callback') return null
  const answer = location.hash.slice(1) || location.search.slice(1)
  history.replaceState(null, '', '/')
  return answer
}

/**
 * In the popup: hands the answer to the page that opened it, and closes.
 * @returns {boolean} false when this is no popup, or the page that opened it is gone
 */
export function handOver (answer) {
  // A popup starts with a copy of its opener's sessionStorage; that is how it knows what it is.
  const { popup } = JSON.parse(sessionStorage.getItem(pendingKey) ?? '{}')
  if (!popup || !window.opener || window.opener.closed) return false
  window.opener.postMessage({ type: messageType, answer }, location.origin)
  window.close()
  return true
}

/** In the page that opened a popup: calls `receive(answer)` with the answer. */
export function onHandOver (receive) {
  window.addEventListener('message', ({ origin, data }) => {
    if (origin === location.origin && data?.type === messageType) receive(data.answer)
  })
}

/**
 * Checks an answer, and gets the tokens by it.
 * @returns {Promise<import('./tokens.js').Tokens>}
 * @throws {SignInError}
 */
export async function readAnswer (text, { issuer, clientId }) {
  const answer = new URLSearchParams(text)
  const { state, flow, ...kept } = JSON.parse(sessionStorage.getItem(pendingKey) ?? '{}')
  sessionStorage.removeItem(pendingKey)

  // First of all: did this tab ask, and does the one answer that was asked?
  if (!state || answer.get('state') !== state) {
    throw new SignInError('This answer does not belong to a sign-in that was started in this tab. Sign in again.')
  }
  if (answer.get('iss') !== issuer) {
    throw new SignInError(`This answer does not come from ${issuer}, so this app ignored it. Sign in again.`)
  }
  const coming = answer.has('error')
    ? Object.fromEntries(answer)
    : flows[flow].receive(answer, kept, { issuer, clientId, callback: callback() })
  const other = flow === 'code' ? 'Implicit grant' : 'Code with PKCE'
  return readTokens(coming, {
    scope,
    unauthorized: `The authorization server does not let this app sign in this way. Choose "${other}" below, or ask its operator.`
  })
}

function callback () {
  return `${location.origin}/callback`
}
