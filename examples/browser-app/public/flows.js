// The two ways to a token, side by side. To move an app from the second to the first is to change this file.
import { identify } from './openid.js'
import { discover } from './provider.js'

const customers = 'customer:read customer:write customer:delete'

/**
 * OpenID Connect by the authorization code with PKCE (RFC 6749 §4.1, RFC 7636, OpenID Connect Core §3.1): a code comes,
 * which only this tab can change for tokens, and an ID token that says who has signed in.
 */
const code = {
  scope: `openid profile ${customers}`,
  async ask () {
    const [verifier, nonce] = [random(), random()]
    const challenge = base64url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)))
    return {
      parameters: { response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256', nonce },
      kept: { verifier, nonce }
    }
  },
  async receive (answer, { verifier }, { issuer, clientId, callback }) {
    const { token_endpoint: endpoint } = await discover(issuer)
    const response = await fetch(endpoint, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code', code: answer.get('code'), redirect_uri: callback, client_id: clientId, code_verifier: verifier
      })
    })
    return response.json()
  },
  async whoIs (tokens, { nonce }, { issuer, clientId }) {
    return identify(tokens, { issuer, clientId, nonce })
  },
  otherwise: 'Sign in with the implicit grant'
}

/** The implicit grant (RFC 6749 §4.2), for older apps: the access token itself comes in the address, and does not say who signed in. */
const implicit = {
  scope: customers,
  async ask () {
    return { parameters: { response_type: 'token' }, kept: {} }
  },
  async receive (answer) {
    return Object.fromEntries(answer)
  },
  async whoIs () {},
  otherwise: 'Sign in'
}

/** By the names that the page's buttons give them. */
export const flows = { code, implicit }

function random () {
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}

function base64url (bytes) {
  return btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
