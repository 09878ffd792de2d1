// The session: the tokens, their renewal, the warning before they expire, and signing out.
import { go, start } from './address.js'
import * as drafts from './panel/drafts.js'
import { clear } from './list/list.js'
import { follow } from './list/live.js'
import { say, warn } from './parts/messages.js'
import { readAnswer, signIn } from './sign-in/oauth.js'
import { claimsOf, signOutThere } from './sign-in/openid.js'
import { connect } from './register.js'
import { showPlace } from './show-place.js'
import { reset, state, update, updateIn } from './state.js'
import { renew, revoke, SignInError } from './sign-in/tokens.js'

/** How long before it expires an access token is renewed, or the user is warned. */
const AHEAD_MS = 60_000
const RENEW_AGAIN_MS = 10_000
const ENDED = 'Your session expired. Sign in again. Your changes are kept.'

// The tokens are kept only here: closing or reloading the page discards them.
let tokens = null
let ticking
let renewing = false
let renewAfter = 0
let lasting = new AbortController()
const otherTabs = new BroadcastChannel('frontdesk')

otherTabs.addEventListener('message', ({ data }) => {
  if (!tokens || data.signedOut !== state.session.sub) return
  revoke(tokens, state.config)
  leave()
  say('You signed out in another tab.')
})

/** Signs in with the grant that the user has selected. */
export const enter = () => signIn(state.config, state.settings).catch(explain)

/** Signs in again as the register requires (RFC 9470). {@link receive} then returns `step-up`. */
export const stepUp = required => signIn(state.config, { ...state.settings, required, again: 'step-up' }).catch(explain)

/** Reads the authorization server's response, and starts the session. @returns what to do again, if anything */
export async function receive (answer) {
  try {
    await hold(readAnswer(answer, state.config))
    return tokens?.again
  } catch (error) {
    // A failed sign-in does not discard a valid session.
    if (!tokens) forget()
    explain(error)
  }
}

/** Uses new tokens until they expire. */
async function hold (promise) {
  const before = tokens
  const coming = await promise
  // Signed out in the meantime.
  if (tokens !== before) return revoke(coming, state.config)
  tokens = coming
  renewAfter = 0
  connect(state.config.customerUrl, current)
  const claims = claimsOf(tokens.token)
  const sub = claims?.sub ?? ''
  const isNew = state.session?.sub !== sub
  if (isNew) {
    lasting.abort()
    lasting = new AbortController()
    drafts.load(sub)
  }
  clearInterval(ticking)
  ticking = setInterval(tick, 1000)
  const { name, scopes } = tokens
  await update({ session: { name, sub, scopes, claims, left: secondsLeft(), warning: null, signal: lasting.signal } })
  if (!isNew) return
  clear()
  follow()
  showPlace()
}

/** The current token. If the register rejects it, the session ends. @throws {SignInError} if there is none */
function current (rejected) {
  if (tokens && tokens.token !== rejected) return tokens.token
  if (tokens) end()
  throw new SignInError(ENDED)
}

const secondsLeft = () => Math.max(0, Math.ceil((tokens.endsAt - Date.now()) / 1000))

function tick () {
  const left = secondsLeft()
  if (left * 1000 <= AHEAD_MS && tokens.refresh && Date.now() >= renewAfter) stay()
  else if (left === 0 && !renewing) return end()
  else if (left * 1000 <= AHEAD_MS && !tokens.refresh) state.session.warning = 'Your session expires soon.'
  state.session.left = left
  if (state.session.warning || state.settings.developer) update()
}

/** Gets new tokens: with the refresh token, or else in a popup, because a redirect would leave the page. */
export async function stay () {
  if (renewing) return
  if (!tokens.refresh) return signIn(state.config, { grant: 'implicit', popup: true }).catch(explain)
  renewing = true
  const before = tokens
  try {
    await hold(renew(tokens, state.config))
  } catch (error) {
    if (!(error instanceof SignInError)) throw error
    if (tokens !== before) return
    if (!error.temporary) return end(error.message)
    renewAfter = Date.now() + RENEW_AGAIN_MS
    updateIn('session', { warning: 'Your session expires soon and couldn\'t be renewed: can\'t reach the authorization server.' })
  } finally {
    renewing = false
  }
}

/** Ends the session in this page, because there is no valid token. */
function end (sentence = ENDED) {
  forget()
  warn(sentence)
}

function forget () {
  tokens = null
  clearInterval(ticking)
  lasting.abort()
  reset().then(() => document.getElementById('sign-in')?.focus())
}

/** Discards what the user typed, and where the user was. */
function leave () {
  sessionStorage.clear()
  go(start)
  forget()
}

/** Signs out of this app in every tab, and of the authorization server if there is an ID token. */
export async function signOut () {
  const leaving = tokens
  otherTabs.postMessage({ signedOut: state.session.sub })
  leave()
  say('You\'re signed out of this app.')
  const revoked = await revoke(leaving, state.config)
  // The user has signed in again in the meantime.
  if (tokens) return
  if (revoked && leaving.idToken) await signOutThere(leaving.idToken, state.config).catch(explain)
  else if (revoked) say('You\'re signed out of this app, and its access is revoked.')
  else warn('You\'re signed out of this app, but its access is still valid. Remove it under "Your account", below.')
}

/** Says why a sign-in or a sign-out failed. @throws any other error */
function explain (error) {
  if (!(error instanceof SignInError)) throw error
  warn(error.message)
}
