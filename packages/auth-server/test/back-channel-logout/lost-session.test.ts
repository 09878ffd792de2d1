import { decodeJwt } from 'jose'
import t, { type Test } from 'tap'
import { codeClient, codeQuery, exchangeForm, form, post, queryOf } from '../support/code-flow.js'
import { Browser, build, formTokenOf } from '../support/helper.js'
import { receive, send, verify } from '../support/back-channel-logout/receiver.js'

export const onBothDatabases = true

/** Ann has signed in at an app that gets logout tokens. */
async function prepare (t: Test, changes: Parameters<typeof codeClient>[0] = {}) {
  const { app, stores } = await build(t, { ALLOW_PRIVATE_NETWORKS: 'true' })
  const receiver = await receive(t)
  await stores.clients.put(codeClient({ backchannelLogoutUri: receiver.uri, idTokenSignedResponseAlg: 'ES256', ...changes }))
  const browser = new Browser(app)
  const signIn = async (browser: Browser, credentials?: Record<string, string>) => {
    const { code } = queryOf(await browser.allow(codeQuery({ scope: 'openid', prompt: 'login' }), credentials))
    return (await post(app, '/token', exchangeForm(code!))).json().id_token as string
  }
  const hint = await signIn(browser)
  const ann = (await stores.users.find('ann'))!
  const sessions = async (userId = ann.id) => (await stores.sessions.list(userId, new Date())).sessions.length
  return { app, stores, receiver, browser, signIn, hint, ann, sessions }
}

const endSession = (hint: string) => `/end-session?${form({ id_token_hint: hint })}`

for (const [kind, changes] of [['public', {}], ['pairwise', { sectorIdentifier: 'app.example' }]] as const) {
  t.test(`a session whose cookie did not arrive ends by the ID token of the one before it, with a ${kind} sub`, async t => {
    const { app, stores, receiver, browser, signIn, hint, ann, sessions } = await prepare(t, changes)
    // Sent twice, the second form is answered, but the answer is lost.
    await new Browser(app, '192.0.2.1', new Map(browser.cookies)).allow(codeQuery({ scope: 'openid', prompt: 'login' }))
    const elsewhere = await signIn(new Browser(app))
    t.equal(await sessions(), 2)
    t.equal((await browser.get(endSession(hint))).statusCode, 200)
    t.equal(await sessions(), 1, 'the one elsewhere goes on')
    t.same(await send(app, 1), ['delivered'])
    const { sid, sub } = decodeJwt(hint)
    t.match(await verify(app, receiver.tokens[0]!), { sid, sub })
    t.not(decodeJwt(elsewhere).sid, sid)
    await browser.get(endSession(hint))
    await send(app, 0)
    t.equal(receiver.tokens.length, 1, 'once')
    await app.close()
    t.match(await stores.audit.list({ event: 'sign-out' }, 3), [{ outcome: 'done', userId: ann.id }], 'once')
  })
}

t.test('what is no proof ends nothing: a forged ID token, and that of another person before the question is answered', async t => {
  const { app, stores, receiver, hint, ann, sessions } = await prepare(t)
  const forged = `${hint.split('.').slice(0, 2).join('.')}.${'A'.repeat(86)}`
  await new Browser(app).get(endSession(forged))
  const bob = new Browser(app)
  await stores.users.add({ ...ann, id: 'bob-id', username: 'bob' })
  await bob.allow(codeQuery({ scope: 'x' }), { username: 'bob', password: 'correct horse' })
  const asked = await bob.get(endSession(hint))
  await send(app, 0)
  t.same([await sessions(), await sessions('bob-id'), receiver.tokens.length], [1, 1, 0])
  await bob.post(endSession(hint), { transaction: formTokenOf(asked) })
  t.same(await send(app, 1), ['delivered'])
  t.same([await sessions(), await sessions('bob-id')], [0, 0], 'then both')
})

t.test('an ID token of a session that has ended ends no later one', async t => {
  const { app, browser, signIn, hint, sessions } = await prepare(t)
  await browser.get(endSession(hint))
  const later = await signIn(browser)
  t.not(decodeJwt(later).sid, decodeJwt(hint).sid)
  await new Browser(app).get(endSession(hint))
  t.equal(await sessions(), 1)
})
