// sign-in.js
const issuer = 'https://auth.example'
const clientId = 'my-app'
const callback = `${location.origin}/callback`
const scope = 'customer:read'

/** Leaves for the sign-in. */
export async function signIn () {
  const [state, verifier] = [random(), random()]
  sessionStorage.setItem('sign-in', JSON.stringify({ state, verifier }))
  const bytes = new TextEncoder().encode(verifier)
  const challenge = base64url(await crypto.subtle.digest('SHA-256', bytes))
  location.assign(`${issuer}/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    scope,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256'
  })}`)
}

/** At the callback: exchanges the code for the tokens. */
export async function finishSignIn () {
  const answer = new URLSearchParams(location.search)
  history.replaceState(null, '', location.pathname)
  const { state, verifier } = JSON.parse(sessionStorage.getItem('sign-in') ?? '{}')
  sessionStorage.removeItem('sign-in')
  if (!state || answer.get('state') !== state) throw new Error('state differs')
  if (answer.get('iss') !== issuer) throw new Error('iss differs')
  if (answer.has('error')) throw new Error(answer.get('error'))
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      code: answer.get('code'),
      redirect_uri: callback,
      code_verifier: verifier
    })
  })
  const tokens = await response.json()
  if (!response.ok) throw new Error(tokens.error)
  return tokens
}

const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)))
const base64url = bytes => btoa(String.fromCharCode(...new Uint8Array(bytes)))
  .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
