// Signing in: RFC 6749 §4, PKCE (RFC 7636), `iss` in the response (RFC 9207).
import { identify } from './openid.js'
import { discover, post, readTokens, SignInError } from './tokens.js'

const pendingKey = 'frontdesk.sign-in'
const pending = () => JSON.parse(sessionStorage.getItem(pendingKey) ?? '{}')
const callback = () => `${location.origin}/callback`

/** The two ways to get a token. To move an app from the second to the first, change only this. */
export const grants = {
  /** OpenID Connect: returns a code that only this tab can exchange for tokens, including an ID token that says who signed in. */
  code: {
    scope: 'openid profile ',
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
    scope: '',
    ask: async () => ({ parameters: { response_type: 'token' }, kept: {} }),
    receive: answer => Object.fromEntries(answer),
    whoIs: async () => undefined
  }
}

/**
 * Goes to the authorization server. After sign-in, the browser returns to the current address.
 * @param {{ issuer: string, clientId: string, scope: string }} config `scope` is that of the API
 * @param {keyof typeof grants} grant
 * @param {{ extra?: Record<string, string>, go?: (url: string) => void }} options `extra` are more parameters of the request, such as
 * `prompt`, or those that an API requires (RFC 9470)
 * @throws {SignInError} if this page cannot sign in
 */
export async function signIn ({ issuer, clientId, scope }, grant, { extra = {}, go = url => location.assign(url) } = {}) {
  if (!isSecureContext) throw new SignInError('insecure', { origin: location.origin })
  // Not from the cache: if the server is unreachable, the user would leave for the browser's error page.
  const { authorization_endpoint: endpoint } = await discover(issuer, { cache: 'no-cache' })
  const state = crypto.randomUUID()
  const { parameters, kept } = await grants[grant].ask()
  const address = location.pathname + location.search
  sessionStorage.setItem(pendingKey, JSON.stringify({ state, grant, extra, address, ...kept }))
  const asked = { ...parameters, client_id: clientId, redirect_uri: callback(), scope: grants[grant].scope + scope, state, ...extra }
  go(`${endpoint}?${new URLSearchParams(asked)}`)
}

/**
 * Replaces the response in the URL and the history with the address that the user came from, before anything else runs.
 * @returns {URLSearchParams | null} the response; null if this page is not the callback
 */
export function takeAnswer () {
  if (location.pathname !== '/callback') return null
  const answer = new URLSearchParams(location.hash.slice(1) || location.search)
  const { state, address } = pending()
  history.replaceState(null, '', state && state === answer.get('state') ? address : '/')
  return answer
}

/**
 * Checks a response, exchanges it for tokens, and finds out who signed in.
 * @returns {Promise<import('./tokens.js').Tokens & { extra: Record<string, string> }>} with the request's extra parameters
 * @throws {SignInError} `otherTab` if this tab did not send the request, or has used the response before; `prompt` is that of the request
 * that it waits for
 */
export async function readAnswer (answer, config) {
  const { state, grant, extra, ...kept } = pending()
  // First of all: is this the response to this tab's request, from the right server?
  if (!state || state !== answer.get('state')) throw new SignInError('otherTab', { prompt: extra?.prompt })
  sessionStorage.removeItem(pendingKey)
  if (answer.get('iss') !== config.issuer) throw new SignInError('otherServer', { issuer: config.issuer })
  const { scope, receive, whoIs } = grants[grant]
  const coming = answer.has('error') ? Object.fromEntries(answer) : receive(answer, kept, config)
  const tokens = await readTokens(coming, { scope: scope + config.scope, unauthorized: 'grantRefused' })
  return { ...tokens, extra, name: await whoIs(tokens, kept, config) }
}

const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)))
const base64url = bytes => btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/[+/=]/g, it => ({ '+': '-', '/': '_' })[it] ?? '')
