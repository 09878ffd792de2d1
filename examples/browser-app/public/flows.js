// The two ways to a token, side by side. To move an app from the first to the second is to change this file.

/** The implicit grant (RFC 6749 §4.2): the token itself comes in the address. */
const implicit = {
  async ask () {
    return { parameters: { response_type: 'token' }, kept: {} }
  },
  async receive (answer) {
    return Object.fromEntries(answer)
  }
}

/** The authorization code with PKCE (RFC 6749 §4.1, RFC 7636): a code comes, which only this tab can change for a token. */
const code = {
  async ask () {
    const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)))
    const challenge = base64url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)))
    return { parameters: { response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256' }, kept: { verifier } }
  },
  async receive (answer, { verifier }, { issuer, clientId, callback }) {
    const response = await fetch(`${issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code', code: answer.get('code'), redirect_uri: callback, client_id: clientId, code_verifier: verifier
      })
    })
    return response.json()
  }
}

/** By the name that the page's switch gives them. */
export const flows = { implicit, code }

function base64url (bytes) {
  return btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
