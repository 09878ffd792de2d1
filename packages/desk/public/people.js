// Who other users are: their names, from the authorization server's directory, kept in memory for five minutes.
import { currentTokens } from './session.js'
import { renew, SignInError } from './sign-in/tokens.js'
import { state, update } from './state.js'

const KEPT_MS = 5 * 60_000
const MAX_SUBJECTS = 100
const TIMEOUT_MS = 15_000
/** How long before it expires a token is renewed. */
const AHEAD_MS = 30_000

/** What a session has read. `names`: by `sub`, with the time until which they are not read again. `isOff`: this app cannot read names. */
const start = signal => ({ signal, names: new Map(), wanted: new Set(), token: null, isOff: false })

let reading = start(null)

/**
 * A user's name, if it is known by now. Otherwise the page is rendered again once it is: names that are needed at the same time are
 * read together.
 * @param {string | null} sub
 * @returns {string | undefined}
 */
function nameOfUser (sub) {
  const { signal } = state.session
  if (reading.signal !== signal) reading = start(signal)
  const { names, wanted, isOff } = reading
  const found = names.get(sub)
  if (sub && !isOff && !(found?.until > Date.now())) {
    // Also if it fails, it is not read again before then.
    names.set(sub, { ...found, until: Date.now() + KEPT_MS })
    if (wanted.size === 0) setTimeout(readWanted, 0, reading)
    wanted.add(sub)
  }
  return found?.name
}

/**
 * Who a user is to the reader: the end of a text's key, and the name that it needs.
 * @param {string | null} sub
 * @returns {{ who: 'you' | 'named' | 'other', name?: string }}
 */
export function authorOf (sub) {
  if (sub === state.session.sub) return { who: 'you' }
  const name = nameOfUser(sub)
  return name === undefined ? { who: 'other' } : { who: 'named', name }
}

/** Without the names, the page shows what it shows of unknown users. */
async function readWanted (its) {
  const subs = [...its.wanted]
  its.wanted.clear()
  for (let from = 0; from < subs.length && !its.isOff && !its.signal.aborted; from += MAX_SUBJECTS) {
    const some = subs.slice(from, from + MAX_SUBJECTS)
    const users = await read(some, its)
    if (users) for (const sub of some) its.names.get(sub).name = users.find(user => user.sub === sub)?.name
  }
  update()
}

/** @returns {Promise<Array<{ sub: string, name: string }> | undefined>} */
async function read (sub, its) {
  const token = await tokenOf(its)
  if (!token) return
  const { issuer } = state.config
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const signal = AbortSignal.any([its.signal, AbortSignal.timeout(TIMEOUT_MS)])
  const options = { method: 'POST', headers, body: JSON.stringify({ sub }), signal }
  const response = await fetch(`${issuer}/directory`, options).catch(() => null)
  if (response?.status === 401) its.token = null
  const body = response?.ok ? await response.json().catch(() => null) : null
  return body?.users
}

/** A token for the directory: that of the register is not for it (RFC 8707). Undefined if there is none. */
async function tokenOf (its) {
  if (its.token?.endsAt > Date.now() + AHEAD_MS) return its.token.token
  const tokens = currentTokens()
  if (!tokens?.refresh) return
  try {
    its.token = await renew(tokens, { ...state.config, resource: state.config.issuer })
    // Each works once. The session may have renewed its tokens in the meantime: then this one has been replaced, too.
    tokens.refresh = its.token.refresh ?? tokens.refresh
    return its.token.token
  } catch (error) {
    if (!(error instanceof SignInError)) throw error
    its.isOff = !error.temporary
  }
}
