// Signing in: RFC 6749 §4, PKCE (RFC 7636), `iss` in the response (RFC 9207).
import { identify } from './openid.js'
import { discover, post, readTokens, SignInError } from './tokens.js'

const pendingKey = 'frontdesk.sign-in'
const messageType = 'frontdesk.answer'
const customers = 'customer:read customer:write customer:delete'
const callback = () => `${location.origin}/callback`

/** The two ways to get a token. To move an app from the second to the first, change only this. */
export const grants = {
  /** OpenID Connect: returns a code that only this tab can exchange for tokens, including an ID token that says who signed in. */
  code: {
    scope: `openid profile ${customers}`,
    async ask () {
      const [verifier, nonce] = [random(), random()]
      const challenge = base64url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)))
      const parameters = { response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256', nonce }
      return { parameters, kept: { verifier, nonce } }
    },
    receive: (answer, { verifier }, { issuer, clientId }) => post(issuer, 'token_endpoint', {
      grant_type: 'authorization_code', code: answer.get('code'), redirect_uri: callback(), client_id: clientId, code_verifier: verifier
    }).then(response => response.json()),
    whoIs: (tokens, { nonce }, { issuer, clientId }) => identify(tokens, { issuer, clientId, nonce })
  },
  /** The implicit grant, for older apps: the URL contains the access token itself, which does not say who signed in. */
  implicit: {
    scope: customers,
    ask: async () => ({ parameters: { response_type: 'token' }, kept: {} }),
    receive: answer => Object.fromEntries(answer),
    whoIs: async () => undefined
  }
}

/**
 * Redirects to the authorization server, or opens it in a popup.
 * @param {{ issuer: string, clientId: string }} config
 * @param {{ grant: keyof grants, popup?: boolean, required?: object, again?: string }} how `required` are parameters that a resource
 * server requires (RFC 9470); `again` names what to do afterwards, and is returned with the tokens
 * @throws {SignInError} if this page cannot sign in, or the browser blocked the popup
 */
export async function signIn ({ issuer, clientId }, { grant, popup = false, required, again }) {
  if (!isSecureContext) {
    throw new SignInError(`Sign-in needs https or localhost, and this page is at ${location.origin}. ` +
      'Open its https address, or http://localhost on the computer that runs it.')
  }
  const { authorization_endpoint: endpoint } = await discover(issuer)
  const state = crypto.randomUUID()
  const { parameters, kept } = await grants[grant].ask()
  sessionStorage.setItem(pendingKey, JSON.stringify({ state, grant, popup, again, address: location.pathname + location.search, ...kept }))
  const asked = { ...parameters, client_id: clientId, redirect_uri: callback(), scope: grants[grant].scope, state, ...required }
  const url = `${endpoint}?${new URLSearchParams(asked)}`
  if (!popup) return location.assign(url)
  if (window.open(url, 'frontdesk-sign-in', 'popup,width=480,height=720') === null) {
    throw new SignInError('The browser blocked the popup. Allow popups for this page, or sign in without one.')
  }
}

/** Replaces the response in the URL and the history by the page's address before sign-in. Null if this page is not the callback. */
export function takeAnswer () {
  if (location.pathname !== '/callback') return null
  const answer = location.hash.slice(1) || location.search.slice(1)
  const { state, address } = JSON.parse(sessionStorage.getItem(pendingKey) ?? '{}')
  history.replaceState(null, '', state && new URLSearchParams(answer).get('state') === state ? address : '/')
  return answer
}

/** In the popup: passes the response to the page that opened it, and closes. False if this is not a popup, or that page was closed. */
export function handOver (answer) {
  // A popup starts with a copy of its opener's sessionStorage, which tells it that it is a popup.
  const { popup } = JSON.parse(sessionStorage.getItem(pendingKey) ?? '{}')
  if (!popup || !window.opener || window.opener.closed) return false
  window.opener.postMessage({ type: messageType, answer }, location.origin)
  window.close()
  return true
}

/** In the page that opened a popup: calls `receive(answer)` with the response. */
export function onHandOver (receive) {
  window.addEventListener('message', ({ origin, data }) => {
    if (origin === location.origin && data?.type === messageType) receive(data.answer)
  })
}

/** Checks a response, exchanges it for tokens, and finds out who signed in. @throws {SignInError} */
export async function readAnswer (text, config) {
  const answer = new URLSearchParams(text)
  const { state, grant, again, ...kept } = JSON.parse(sessionStorage.getItem(pendingKey) ?? '{}')
  sessionStorage.removeItem(pendingKey)
  // First of all: is this the response to this tab's request, from the right server?
  if (!state || answer.get('state') !== state) {
    throw new SignInError('This response doesn\'t belong to a sign-in from this tab. Sign in again.')
  }
  if (answer.get('iss') !== config.issuer) {
    throw new SignInError(`This response isn't from ${config.issuer}, so it was ignored. Sign in again.`)
  }
  const { scope, receive, whoIs } = grants[grant]
  const tokens = await readTokens(answer.has('error') ? Object.fromEntries(answer) : receive(answer, kept, config), {
    scope, unauthorized: 'The authorization server doesn\'t allow this grant for this app. Choose the other one, or contact its operator.'
  })
  return { ...tokens, again, name: await whoIs(tokens, kept, config) }
}

const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)))
const base64url = bytes => btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/[+/=]/g, it => ({ '+': '-', '/': '_' })[it] ?? '')
