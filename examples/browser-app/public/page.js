// The page: signs in with either grant, says who is signed in, reads a customer's name, and signs out.
import { readAnswer, signIn, takeAnswer } from './sign-in/oauth.js'
import { cameBack, signOutThere } from './sign-in/openid.js'
import { revoke, SignInError } from './sign-in/tokens.js'

// First of all: a script that runs later can no longer read the response in the URL.
const answer = takeAnswer()
const config = await fetch('/config.json').then(response => response.json())
// In memory only: a reload needs a new sign-in, which shows no page while the authorization server knows the user.
let tokens = null

const $ = id => document.getElementById(id)

function show (message = '') {
  $('signed-out').hidden = tokens !== null
  $('signed-in').hidden = tokens === null
  // The implicit grant does not say who signed in.
  $('person').textContent = tokens?.name ? `Signed in as ${tokens.name}.` : 'Signed in.'
  $('name').textContent = ''
  $('message').textContent = message
}

/** Runs an action, and shows why it failed. */
async function attempt (action) {
  try {
    await action()
  } catch (error) {
    if (!(error instanceof SignInError)) throw error
    show(error.message)
  }
}

async function lookUp (customerid) {
  const url = `${config.customerUrl}/rest/qa/customer/${encodeURIComponent(customerid)}`
  const headers = { accept: 'text/plain', authorization: `Bearer ${tokens.token}` }
  const response = await fetch(url, { headers }).catch(() => null)
  if (response === null) return show('Can\'t reach the customer service. Try again in a moment.')
  if (response.ok) {
    show()
    $('name').textContent = await response.text()
    return
  }
  // The token has expired or was revoked.
  if (response.status === 401) tokens = null
  const { title } = await response.json().catch(() => ({ title: `The customer service responded with ${response.status}` }))
  show(response.status === 401 ? 'Your session expired. Sign in again.' : `${title}.`)
}

async function signOut () {
  const leaving = tokens
  tokens = null
  show()
  const isRevoked = await revoke(leaving, config)
  // With OpenID Connect, the page can sign the user out of the authorization server, too.
  if (isRevoked && leaving.idToken) return signOutThere(leaving.idToken, config)
  show(isRevoked ? 'You\'re signed out of this page.' : 'You\'re signed out of this page, but its access is valid until it expires.')
}

$('issuer').textContent = new URL(config.issuer).host
for (const grant of ['code', 'implicit']) $(grant).addEventListener('click', () => attempt(() => signIn(config, grant)))
$('sign-out').addEventListener('click', () => attempt(signOut))
$('look-up').addEventListener('submit', event => {
  event.preventDefault()
  attempt(() => lookUp(new FormData(event.target).get('customerid')))
})

if (answer !== null) await attempt(async () => { tokens = await readAnswer(answer, config) })
if (answer === null || tokens) show(cameBack() ? 'You\'re signed out.' : '')
