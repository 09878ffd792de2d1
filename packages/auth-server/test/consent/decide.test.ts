import t from 'tap'
import {
  ann, binding, browser, credentials, device, failure, login, now, outcomeOf, passed, session, shownTo, signedOut, type State
} from '../support/consent/decision.js'

const MFA = 'urn:frontdesk:acr:mfa'
const essential = { interaction: { ...browser.interaction, acrs: [MFA], isAcrEssential: true } as const }
const wrongCode = { ...failure, isOfCode: true } as const

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
    page: {}, form: credentials, signIn: ann({ withheld: 'read write' }), requested: { requiredSubjects: async () => [['bea']] }
  }, 'refused: loginRequired', 'find sign-in start'],
  ['another user than the required one, whose session did not start', {
    page: {}, signIn: ann({}, { stored: failure }), requested: { requiredSubjects: async () => [['ann'], ['bea']] }
  }, 'refused: loginRequired', 'find sign-in start'],
  ['no role that the app requires', {
    page: { userId: 'ann' }, session: { ...session, withheld: 'read write', isAdmitted: false }, requested: login
  }, 'refused: notAdmitted', 'find'],
  ['no role that the app requires, after sign-in', {
    page: signedOut, signIn: ann({ isAdmitted: false })
  }, 'refused: notAdmitted', 'find sign-in start'],
  ['no recent sign-in', { page: { userId: 'ann' }, session: { ...session, withheld: 'read write' }, requested: login }, 'ask: reauthenticate', 'find'],
  ['a sign-in that became too old', {
    page: { userId: 'ann' }, requested: { interaction: { ...browser.interaction, maxAge: 59 } }
  }, 'ask: reauthenticate', 'find'],
  ['administration by a device, in a session', {
    page: { userId: 'ann' }, requested: { ...device, redirectUri: undefined as never, scope: ['read', 'admin:read'] }
  }, 'ask: reauthenticate', 'find'],
  ['administration after a sign-in with the upstream provider', {
    page: { userId: 'ann', hasSignedIn: true }, session: { ...session, amr: 'fed otp mfa' }, requested: { scope: ['read', 'admin:read'] }
  }, 'ask: reauthenticate', 'find'],
  ['the console after a sign-in with the upstream provider', {
    page: { userId: 'ann' }, session: { ...session, amr: 'fed' }, requested: { client: { ...browser.client, id: 'frontdesk-console' } }
  }, 'ask: reauthenticate', 'find'],
  ['no scope to grant', { page: { userId: 'ann' }, session: { ...session, withheld: 'read write' } }, 'refused: emptyScope', 'find'],
  ['no scope to grant after sign-in', { page: signedOut, signIn: ann({ withheld: 'read write' }) }, 'refused: emptyScope', 'find sign-in start'],
  ['some scopes to grant after sign-in', { page: signedOut, signIn: ann({ withheld: 'write' }) }, 'ask: withheld', 'find sign-in start'],
  ['some scopes to grant after a factor was set up', {
    page: { userId: 'ann', passed, shown: shownTo(null), hasSignedIn: true }, session: { ...session, withheld: 'write' }
  }, 'ask: withheld', 'find'],
  ['another registration or role', { page: { userId: 'ann', shown: 'else' } }, 'ask: changed', 'find'],
  ['another registration before sign-in', { page: { shown: 'else' } }, 'ask: changed', 'find sign-in start'],
  ['a session that did not start', {
    page: { shown: 'else' }, signIn: ann({}, { stored: failure })
  }, 'ask: failed', 'find sign-in start'],
  ['a session', {}, 'allow', 'find'],
  ['a sign-in', { page: signedOut, form: credentials }, 'allow', 'find sign-in start'],
  ['a sign-in of the required user', {
    page: signedOut, requested: { requiredSubjects: async () => [['ann'], ['bea', 'ann']] }
  }, 'allow', 'find sign-in start'],
  ['a request without scopes', {
    page: { userId: 'ann', shown: shownTo('write', { ...browser, scope: [] }) }, session: { ...session, withheld: 'write' }, requested: { scope: [] }
  }, 'allow', 'find'],
  ['a sign-in in a session', { form: credentials }, 'allow', 'find sign-in start'],
  ['a sign-in on an earlier page', { page: { userId: 'ann', shown: shownTo(null), hasSignedIn: true }, requested: login }, 'allow', 'find'],
  ['a password of a user with a factor', {
    page: signedOut, form: credentials, signIn: ann({ factors: 'totp', withheld: 'read write' })
  }, 'factor', 'find sign-in trusted postpone'],
  ['a password in a trusted browser', { page: signedOut, signIn: ann({ factors: 'totp' }), isTrusted: true }, 'allow', 'find sign-in trusted start'],
  ['a password of a user without the required factor', { page: signedOut, signIn: ann({ requiredAcr: MFA }) }, 'unenrolled', 'find sign-in postpone'],
  ['a password for an essential acr without a factor', { page: signedOut, requested: essential }, 'refused: unmetAuthentication', 'find sign-in postpone'],
  ['another user than the required one, before the code', {
    page: {}, signIn: ann({ factors: 'totp' }), requested: { requiredSubjects: async () => [['bea']] }
  }, 'refused: loginRequired', 'find sign-in trusted postpone'],
  ['a code after the password', { page: { ...signedOut, passed }, form: { code: '123456' }, requested: login }, 'allow', 'find factor start'],
  ['a wrong code after the password', { page: { ...signedOut, passed }, form: { code: '1' }, useFactor: wrongCode }, 'factor', 'find factor'],
  ['a code after the password was changed', { page: { ...signedOut, passed }, form: { code: '1' }, useFactor: failure }, 'ask: failed', 'find factor'],
  ['no code after the password', { page: { ...signedOut, passed }, useFactor: wrongCode }, 'factor', 'find factor'],
  ['a password on the page for a code', {
    page: { ...signedOut, passed }, form: credentials, signIn: ann({ factors: 'totp' })
  }, 'factor', 'find sign-in trusted postpone'],
  ['a session without the factor', { session: { ...session, factors: 'totp' } }, 'factor', 'find trusted'],
  ['a session without the factor, in a trusted browser', { session: { ...session, factors: 'totp' }, isTrusted: true }, 'allow', 'find trusted'],
  ['a session with the factor', { session: { ...session, factors: 'totp', amr: 'pwd otp mfa' }, requested: essential }, 'allow', 'find'],
  ['a session without the factor, and the code', { session: { ...session, factors: 'totp' }, form: { code: '123456' } }, 'allow', 'find factor start'],
  ['a session without the factor, and a wrong code', { form: { code: '1' }, useFactor: wrongCode }, 'factor', 'find factor'],
  ['a session without the factor that is too old', {
    page: { userId: 'ann' }, session: { ...session, factors: 'totp' }, requested: login
  }, 'ask: reauthenticate', 'find'],
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
  t.match(decided, { decider: { userId: 'ann', epoch: 1, authTime: now, amr: 'pwd', started: Promise }, scope: ['read', 'write'], nonce: /./ })
  const limited = await outcomeOf({ page: { userId: 'ann', shown: shownTo('write') }, session: { ...session, withheld: 'write' } })
  t.match(limited.decided, { decider: { authTime: session.authTime }, scope: ['read'] })
})

t.test('the page for a code keeps what the page before showed, and who passed it', async t => {
  const asked = await outcomeOf({ page: signedOut, signIn: ann({ factors: 'totp' }) })
  t.match(asked.decided, { username: 'ann', page: { ...signedOut, passed, userId: undefined }, failure: undefined })
  const again = await outcomeOf({ page: { ...signedOut, passed }, form: { code: '1' }, useFactor: wrongCode })
  t.match(again.decided, { username: 'ann', page: { ...signedOut, passed }, failure: wrongCode })
  const inSession = await outcomeOf({ session: { ...session, factors: 'totp' } })
  t.match(inSession.decided, { page: { userId: 'ann', shown: shownTo(null), passed: undefined } })
})

t.test('a page that is shown again keeps the sign-in, and who signed in', async t => {
  t.match((await outcomeOf({ page: signedOut, signIn: ann({ withheld: 'write' }) })).decided, { user: { userId: 'ann', withheld: 'write' }, hasSignedIn: true })
  t.match((await outcomeOf({ page: { userId: 'ann' } })).decided, { user: { userId: 'ann' }, hasSignedIn: false })
  t.match((await outcomeOf({ page: { userId: 'ann' }, requested: login })).decided, { user: null })
})
