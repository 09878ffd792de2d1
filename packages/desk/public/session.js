// The session: the tokens, their renewal, the warning before they expire, and signing out.
import { go, start } from './address.js'
import * as drafts from './panel/drafts.js'
import { clear } from './list/list.js'
import { follow } from './list/live.js'
import { say, warn } from './parts/messages.js'
import { openPopup } from './popup.js'
import { readAnswer, signIn } from './sign-in/oauth.js'
import { claimsOf, signOutThere } from './sign-in/openid.js'
import { connect, signInSentence } from './register.js'
import { showPlace } from './show-place.js'
import { reset, state, update, updateIn } from './state.js'
import { renew, revoke, SignInError } from './sign-in/tokens.js'
import { language, t } from './language.js'

/** How long before it expires an access token is renewed, or the user is warned. */
const AHEAD_MS = 60_000
const RENEW_AGAIN_MS = 10_000
/** The authorization server's errors when it would have to show a page (OpenID Connect Core §3.1.2.6). */
const NOT_SILENT = ['login_required', 'interaction_required', 'consent_required', 'account_selection_required']
/** Set while a user of this browser is signed in: it has no personal data, and a sign-out removes it. */
const rememberedKey = 'frontdesk.signed-in'

// The tokens are kept only here: a reload discards them, and `resume` gets new ones.
let tokens = null
/** The current tokens. To use their refresh token elsewhere, replace it: each works once. */
export const currentTokens = () => tokens
let ticking
let renewing = false
let renewAfter = 0
let lasting = new AbortController()
const otherTabs = new BroadcastChannel('frontdesk')

otherTabs.addEventListener('message', ({ data: { signedOut } }) => {
  // Without tokens, the session has expired here, and the drafts have been kept.
  if (tokens ? signedOut !== state.session.sub : !drafts.areOf(signedOut)) return
  if (tokens) revoke(tokens, state.config)
  leave()
  say(t('session.otherTab'))
})

const isRemembered = () => localStorage.getItem(rememberedKey) !== null

/** Signs in with the grant that the user has selected. */
export const enter = () => ask(state.settings.grant, { go: way() })

/** Signs in again, with what the register requires (RFC 9470). */
export const stepUp = extra => ask(state.settings.grant, { extra, go: way() })

/** @param {'code' | 'implicit'} grant @param {{ extra?: Record<string, string>, go?: (url: string) => void }} options */
const ask = (grant, { extra, go }) => signIn(state.config, grant, { extra: { ui_locales: language, ...extra }, go }).catch(explain)
const way = () => state.settings.popup ? openPopup : undefined

/** Whether a user of this browser has signed in with the code grant, and has not signed out since. */
export const canResume = () => state.settings.grant === 'code' && isRemembered()

/**
 * Signs in without a question, with `prompt=none`: at the top level, where browsers send the authorization server's cookie.
 * @returns {Promise<boolean>} whether the page is about to leave; if not, a message says why
 */
export async function resume () {
  let isLeaving = false
  const go = url => {
    isLeaving = true
    location.replace(url)
  }
  await ask('code', { extra: { prompt: 'none' }, go })
  return isLeaving
}

/**
 * Reads the authorization server's response, and starts the session.
 * @returns {Promise<{ isLeaving?: boolean, isStepUp?: boolean }>}
 */
export async function receive (answer) {
  try {
    await hold(readAnswer(answer, state.config))
    if (tokens?.idToken) localStorage.setItem(rememberedKey, 'true')
    const { extra = {} } = tokens ?? {}
    return { isStepUp: 'acr_values' in extra || 'max_age' in extra }
  } catch (error) {
    const { reason, values: { prompt, code } = {} } = error
    // For example, the user went back to the callback of an earlier sign-in. But a silent one is not repeated: it could go on forever.
    if (reason === 'otherTab' && prompt !== 'none' && !tokens && canResume()) return { isLeaving: await resume() }
    if (NOT_SILENT.includes(code)) localStorage.removeItem(rememberedKey)
    else explain(error)
    return {}
  }
}

/** Uses new tokens until they expire. */
async function hold (promise) {
  const before = tokens
  const coming = await promise
  // Signed out in the meantime, or in another tab, while this one could not notice it.
  const isOverruled = coming.extra?.prompt === 'none' && !isRemembered()
  if (tokens !== before || isOverruled) return revoke(coming, state.config)
  tokens = coming
  renewAfter = 0
  const claims = claimsOf(tokens.token)
  const sub = claims?.sub ?? ''
  const isNew = state.session?.sub !== sub
  if (isNew) {
    lasting.abort()
    lasting = new AbortController()
    connect(state.config.customerUrl, tokensOf(lasting.signal))
    drafts.load(sub)
    clear()
  }
  clearInterval(ticking)
  ticking = setInterval(tick, 1000)
  const { name, scopes } = tokens
  await update({ session: { name, sub, scopes, claims, left: secondsLeft(), warning: null, signal: lasting.signal } })
  if (!isNew) return
  follow()
  showPlace()
}

/**
 * Returns what returns a session's current token. If the register rejects it, the session ends. @throws {SignInError} if there is none:
 * a request that began in another user's session must not go on in this one's
 */
const tokensOf = signal => rejected => {
  if (!signal.aborted && tokens.token !== rejected) return tokens.token
  if (!signal.aborted) end()
  throw new SignInError('ended')
}

const secondsLeft = () => Math.max(0, Math.ceil((tokens.endsAt - Date.now()) / 1000))

function tick () {
  const left = secondsLeft()
  if (left * 1000 <= AHEAD_MS && tokens.refresh && Date.now() >= renewAfter) stay()
  else if (left === 0 && !renewing) return end()
  else if (left * 1000 <= AHEAD_MS && !tokens.refresh) state.session.warning = t('session.endsSoon')
  state.session.left = left
  if (state.session.warning || state.settings.developer) update()
}

/** Gets new tokens: with the refresh token, or else in a popup, because a redirect would leave the page. */
export async function stay () {
  if (renewing) return
  if (!tokens.refresh) return ask('implicit', { go: openPopup })
  renewing = true
  const before = tokens
  try {
    await hold(renew(tokens, state.config))
  } catch (error) {
    if (!(error instanceof SignInError)) throw error
    if (tokens !== before) return
    if (!error.temporary) return end(signInSentence(error))
    renewAfter = Date.now() + RENEW_AGAIN_MS
    updateIn('session', { warning: t('session.notRenewed') })
  } finally {
    renewing = false
  }
}

/** Ends the session in this page, because there is no valid token. */
function end (sentence = t('signIn.ended')) {
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
  drafts.clear()
  sessionStorage.clear()
  localStorage.removeItem(rememberedKey)
  go(start)
  forget()
}

/** Signs out of this app in every tab, and of the authorization server if there is an ID token. */
export async function signOut () {
  const leaving = tokens
  otherTabs.postMessage({ signedOut: state.session.sub })
  leave()
  say(t('session.signedOut'))
  const revoked = await revoke(leaving, state.config)
  // The user has signed in again in the meantime.
  if (tokens) return
  if (revoked && leaving.idToken) await signOutThere(leaving.idToken, state.config).catch(explain)
  else if (revoked) say(t('session.revoked'))
  else warn(t('session.notRevoked'))
}

/** Says why a sign-in or a sign-out failed. @throws any other error */
function explain (error) {
  if (!(error instanceof SignInError)) throw error
  warn(signInSentence(error))
}
