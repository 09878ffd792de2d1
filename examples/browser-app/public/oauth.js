// Signing in: RFC 6749 §4, RFC 9207 for `iss`. How the token comes is in flows.js.
import { flows } from './flows.js'
import { discover, SignInError } from './provider.js'
import { readTokens } from './tokens.js'

const pendingKey = 'frontdesk.sign-in'
const messageType = 'frontdesk.answer'

/**
 * Leaves for the authorization server, or opens it in a popup.
 * @param {{ issuer: string, clientId: string }} config
 * @param {{ flow: keyof flows, popup?: boolean }} how
 * @throws {SignInError} this page may not sign in, or the browser blocked the popup
 */
export async function signIn ({ issuer, clientId }, { flow, popup = false }) {
  if (!isSecureContext) {
    throw new SignInError(`Browsers let a page sign in over https or at localhost only, and this page is at ${location.origin}. ` +
      'Open it at its https address, or on the computer that it runs on at http://localhost.')
  }
  const { authorization_endpoint: endpoint } = await discover(issuer)
  const state = crypto.randomUUID()
  const { parameters, kept } = await flows[flow].ask()
  sessionStorage.setItem(pendingKey, JSON.stringify({ state, flow, popup, ...kept }))
  const url = `${endpoint}?` + new URLSearchParams({
    ...parameters,
    client_id: clientId,
    redirect_uri: callback(),
    scope: flows[flow].scope,
    state
  })
  if (!popup) return location.assign(url)
  if (window.open(url, 'frontdesk-sign-in', 'popup,width=480,height=720') === null) {
    throw new SignInError('The browser blocked the popup. Allow popups for this page, or use the other button.')
  }
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
 * Checks an answer, gets the tokens by it, and finds out who has signed in.
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
  const { scope, receive, whoIs, otherwise } = flows[flow]
  const coming = answer.has('error') ? Object.fromEntries(answer) : receive(answer, kept, { issuer, clientId, callback: callback() })
  const tokens = await readTokens(coming, {
    scope,
    unauthorized: `The authorization server does not let this app sign in this way. Press "${otherwise}" below, or ask its operator.`
  })
  return { ...tokens, name: await whoIs(tokens, kept, { issuer, clientId }) }
}

function callback () {
  return `${location.origin}/callback`
}
