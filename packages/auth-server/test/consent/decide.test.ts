import t from 'tap'
import { decide, type DecisionForm, type RequestedAccess, type StartingSession, type Visit } from '../../src/consent/decide.js'
import { deriveFormKeys } from '../../src/consent/form-keys.js'
import { digestShown, issueFormToken, type PageState } from '../../src/consent/form-token.js'
import type { FoundSession } from '../../src/stores/sessions/sessions.js'
import { registered } from '../support/oauth/client.js'

const keys = deriveFormKeys({ secretKey: 'abcdefghijklmnopqrstuvwxyz0123456789' })
const binding = { browser: 'cookie', query: 'client_id=app' }
const now = new Date('2026-01-02T03:04:05Z')
const client = registered({})

const session: FoundSession = {
  id: 'hash', sid: 'sid', userId: 'ann', username: 'ann', authTime: new Date(now.getTime() - 60_000), amr: 'pwd', lastSeen: now, epoch: 1, withheld: null, isAdmitted: true, factors: null
}
const credentials = { username: 'ann', password: 'correct horse' }
const failure = { statusCode: 403, message: 'no', username: 'ann' } as const

/** What can be true when a form arrives. Without changes, Ann is signed in, sees the whole request and presses Allow. */
interface State {
  decision?: DecisionForm['decision']
  form?: typeof credentials
  page?: PageState
  binding?: typeof binding
  session?: FoundSession | null
  signIn?: StartingSession | typeof failure
  requested?: Partial<RequestedAccess> | null
}

const started = Promise.resolve(session)
const ann = (withheld: string | null = null): StartingSession => ({ user: { id: 'ann', username: 'ann', grantEpoch: 1, withheld, isAdmitted: true }, started })
const browser: RequestedAccess = {
  client,
  scope: ['read', 'write'],
  redirectUri: 'https://app.example/cb',
  interaction: { reauthenticate: false, maxAge: undefined },
  requiredSubjects: async () => []
}
const { redirectUri, ...device } = browser
const shownTo = (withheld: string | null, of: RequestedAccess = browser) => digestShown(of, { withheld })
const signedOut: PageState = { shown: shownTo(null) }
const login = { interaction: { reauthenticate: true, maxAge: undefined } }

async function outcomeOf (state: State) {
  const requested = state.requested === null ? null : { ...browser, ...state.requested }
  const calls: string[] = []
  const visit: Visit = {
    now,
    binding: state.binding ?? binding,
    session: async () => state.session === undefined ? session : state.session,
    async signIn () { calls.push('sign-in'); return state.signIn ?? ann() },
    async signOut () { calls.push('sign-out') }
  }
  const transaction = issueFormToken(keys, binding, now, state.page ?? { userId: 'ann', shown: shownTo(null) })
  const find = async () => { calls.push('find'); return requested }
  try {
    const decided = await decide(keys, { decision: state.decision ?? 'allow', transaction, ...state.form }, find, visit)
    const why = decided.outcome === 'ask' ? decided.why : decided.outcome === 'refused' ? decided.error.kind : undefined
    return { outcome: [decided.outcome, why].filter(it => it !== undefined).join(': '), calls: calls.join(' '), decided }
  } catch (error) {
    return { outcome: (error as { kind: string }).kind, calls: calls.join(' '), decided: undefined }
  }
}

// Each row fails its rule and, where it can, all later ones: so the rows hold the order.
const rows: ReadonlyArray<[string, State, string, string]> = [
  ['a form of another browser', { decision: 'deny', binding: { ...binding, browser: 'other' }, requested: null }, 'foreignForm', ''],
  ['Deny', { decision: 'deny', form: credentials, requested: null }, 'denied', ''],
  ['another user', { decision: 'switch', form: credentials, requested: null }, 'signed out', 'sign-out'],
  ['a request that was decided', { form: credentials, requested: null }, 'gone', 'find'],
  ['a session that ended', { session: null }, 'foreignForm', 'find'],
  ['a session of another user', { session: { ...session, userId: 'bea' }, requested: login }, 'foreignForm', 'find'],
  ['a wrong password', { page: {}, form: credentials, signIn: failure, requested: { requiredSubjects: async () => [['bea']] } }, 'ask: failed', 'find sign-in'],
  ['another user than the required one', {
    page: {}, form: credentials, signIn: ann('read write'), requested: { requiredSubjects: async () => [['bea']] }
  }, 'refused: loginRequired', 'find sign-in'],
  ['another user than the required one, whose session did not start', {
    page: {}, signIn: { ...ann(), started: Promise.resolve(failure) }, requested: { requiredSubjects: async () => [['ann'], ['bea']] }
  }, 'refused: loginRequired', 'find sign-in'],
  ['no role that the app requires', {
    page: { userId: 'ann' }, session: { ...session, withheld: 'read write', isAdmitted: false }, requested: login
  }, 'refused: notAdmitted', 'find'],
  ['no role that the app requires, after sign-in', {
    page: signedOut, signIn: { ...ann(), user: { ...ann().user, isAdmitted: false } }
  }, 'refused: notAdmitted', 'find sign-in'],
  ['no recent sign-in', { page: { userId: 'ann' }, session: { ...session, withheld: 'read write' }, requested: login }, 'ask: reauthenticate', 'find'],
  ['a sign-in that became too old', {
    page: { userId: 'ann' }, requested: { interaction: { reauthenticate: false, maxAge: 59 } }
  }, 'ask: reauthenticate', 'find'],
  ['administration by a device, in a session', {
    page: { userId: 'ann' }, requested: { ...device, redirectUri: undefined as never, scope: ['read', 'admin:read'] }
  }, 'ask: reauthenticate', 'find'],
  ['no scope to grant', { page: { userId: 'ann' }, session: { ...session, withheld: 'read write' } }, 'refused: emptyScope', 'find'],
  ['no scope to grant after sign-in', { page: signedOut, signIn: ann('read write') }, 'refused: emptyScope', 'find sign-in'],
  ['some scopes to grant after sign-in', { page: signedOut, signIn: ann('write') }, 'ask: withheld', 'find sign-in'],
  ['another registration or role', { page: { userId: 'ann', shown: 'else' } }, 'ask: changed', 'find'],
  ['another registration before sign-in', { page: { shown: 'else' } }, 'ask: changed', 'find sign-in'],
  ['a session that did not start', {
    page: { shown: 'else' }, signIn: { ...ann(), started: Promise.resolve(failure) }
  }, 'ask: failed', 'find sign-in'],
  ['a session', {}, 'allow', 'find'],
  ['a sign-in', { page: signedOut, form: credentials }, 'allow', 'find sign-in'],
  ['a sign-in of the required user', {
    page: signedOut, requested: { requiredSubjects: async () => [['ann'], ['bea', 'ann']] }
  }, 'allow', 'find sign-in'],
  ['a request without scopes', {
    page: { userId: 'ann', shown: shownTo('write', { ...browser, scope: [] }) }, session: { ...session, withheld: 'write' }, requested: { scope: [] }
  }, 'allow', 'find'],
  ['a sign-in in a session', { form: credentials }, 'allow', 'find sign-in'],
  ['a sign-in on an earlier page', { page: { userId: 'ann', shown: shownTo(null), hasSignedIn: true }, requested: login }, 'allow', 'find'],
  ['what the page showed of it', { page: { userId: 'ann', shown: shownTo('write') }, session: { ...session, withheld: 'write' } }, 'allow', 'find']
]

t.test('what a form leads to: the first rule that objects decides', async t => {
  for (const [name, state, outcome, calls] of rows) {
    const { decided, ...found } = await outcomeOf(state)
    t.same(found, { outcome, calls }, name)
  }
})

t.test('a device has no callback: its page shows that nothing can be granted before the request is refused', async t => {
  const all = { session: { ...session, withheld: 'read write' }, requested: { ...device, redirectUri: undefined as never } }
  t.match(await outcomeOf({ ...all, page: { userId: 'ann', shown: shownTo(null, device) } }), { outcome: 'ask: changed' })
  t.match(await outcomeOf({ ...all, page: { userId: 'ann', shown: shownTo('read write', device) } }), { outcome: 'refused: emptyScope' })
})

t.test('what is allowed is what the page showed, by who signed in, when', async t => {
  const { decided } = await outcomeOf({ page: signedOut, form: credentials })
  t.match(decided, { decider: { userId: 'ann', epoch: 1, authTime: now, amr: 'pwd', started }, scope: ['read', 'write'], nonce: /./ })
  const limited = await outcomeOf({ page: { userId: 'ann', shown: shownTo('write') }, session: { ...session, withheld: 'write' } })
  t.match(limited.decided, { decider: { authTime: session.authTime }, scope: ['read'] })
})

t.test('a page that is shown again keeps the sign-in, and who signed in', async t => {
  t.match((await outcomeOf({ page: signedOut, signIn: ann('write') })).decided, { user: { userId: 'ann', withheld: 'write' }, hasSignedIn: true })
  t.match((await outcomeOf({ page: { userId: 'ann' } })).decided, { user: { userId: 'ann' }, hasSignedIn: false })
  t.match((await outcomeOf({ page: { userId: 'ann' }, requested: login })).decided, { user: null })
})
