import { decide } from '../../../src/consent/decide.js'
import { deriveFormKeys } from '../../../src/consent/form-keys.js'
import { digestShown, issueFormToken, type PageState } from '../../../src/consent/form-token.js'
import type { DecisionForm, RequestedAccess } from '../../../src/consent/identify.js'
import type { SignInFailure, StartingSession, Visit } from '../../../src/consent/visit.js'
import { ANY_ACR } from '../../../src/oauth/requested-acr.js'
import type { FoundSession } from '../../../src/stores/sessions/sessions.js'
import { registered } from '../oauth/client.js'

const keys = deriveFormKeys({ secretKey: 'abcdefghijklmnopqrstuvwxyz0123456789' })
export const binding = { browser: 'cookie', query: 'client_id=app' }
export const now = new Date('2026-01-02T03:04:05Z')

const common = { username: 'ann', withheld: null, isAdmitted: true, requiredAcr: null, factors: null, locale: null }

/** Ann's, of a password. */
export const session: FoundSession = {
  ...common, id: 'hash', sid: 'sid', userId: 'ann', authTime: new Date(now.getTime() - 60_000), amr: 'pwd', lastSeen: now, epoch: 1
}
export const credentials = { username: 'ann', password: 'correct horse' }
export const failure = { statusCode: 403, message: { key: 'failure.wrong-password' }, username: 'ann' } as const

/** A sign-in that is right, and the session that it starts, or why it does not. */
interface Right {
  readonly user: StartingSession['user']
  readonly amr: string
  readonly stored: FoundSession | SignInFailure
}

/** Ann, whose sign-in is right. */
export function ann (changes: Partial<StartingSession['user']> = {}, { amr = 'pwd', stored = session }: Partial<Right> = {}): Right {
  const row = { passwordHash: 'x', foreignCost: null, passwordSetAt: null, termsVersion: null, termsAcceptedAt: null, demo: false, disabledAt: null, createdAt: now, epoch: 0, grantEpoch: 1 }
  return { user: { ...common, ...row, id: 'ann', ...changes }, amr, stored }
}

/** What can be true when a form arrives. Without changes, Ann is signed in, sees the whole request and presses Allow. */
export interface State {
  decision?: DecisionForm['decision']
  form?: Partial<typeof credentials> & { code?: string }
  page?: PageState
  binding?: typeof binding
  session?: FoundSession | null
  signIn?: Right | SignInFailure
  useFactor?: Right | SignInFailure
  isTrusted?: boolean
  requested?: Partial<RequestedAccess> | null
}

export const browser: RequestedAccess = {
  client: registered({}),
  scope: ['read', 'write'],
  isAssistant: false,
  redirectUri: 'https://app.example/cb',
  interaction: { reauthenticate: false, maxAge: undefined, ...ANY_ACR },
  requiredSubjects: async () => []
}
export const { redirectUri, ...device } = browser
export const login = { interaction: { ...browser.interaction, reauthenticate: true } }

export const shownTo = (withheld: string | null, of: RequestedAccess = browser) => digestShown(of, { withheld })
export const signedOut: PageState = { shown: shownTo(null) }
export const passed = { userId: 'ann', state: 'state' }

/** Decides, and records what was called: `start` and `postpone` of the new session, too. */
export async function outcomeOf (state: State) {
  const requested = state.requested === null ? null : { ...browser, ...state.requested }
  const calls: string[] = []
  const begin = (call: string, result: Right | SignInFailure) => {
    calls.push(call)
    if ('message' in result) return result
    const { user, amr, stored } = result
    return {
      user,
      passed,
      authTime: now,
      amr,
      async start () { calls.push('start'); return stored },
      async postpone () { calls.push('postpone') }
    }
  }
  const visit: Visit = {
    now,
    binding: state.binding ?? binding,
    session: async () => state.session === undefined ? session : state.session,
    signIn: async () => begin('sign-in', state.signIn ?? ann()),
    useFactor: async () => begin('factor', state.useFactor ?? ann({ factors: 'totp' }, { amr: 'pwd otp mfa' })),
    async isTrustedBy () { calls.push('trusted'); return state.isTrusted ?? false },
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
