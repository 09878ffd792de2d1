import { decodeJwt, decodeProtectedHeader } from 'jose'
import t, { type Test } from 'tap'
import { hashOpaqueToken } from '../../src/sign-in/opaque-token.js'
import { codeClient, codeQuery, exchangeForm, form, post, queryOf } from '../support/code-flow.js'
import { countRows, tablesNaming } from '../support/database.js'
import { askForCodes, decide, deviceClient, poll } from '../support/device-flow.js'
import { Browser, build, formTokenOf, fragmentOf, query } from '../support/helper.js'
import { receive, send, verify } from '../support/back-channel-logout/receiver.js'

export const onBothDatabases = true

/** Ann, and an app that gets logout tokens, where she can sign in with any browser. */
async function prepare (t: Test, changes: Parameters<typeof codeClient>[0] = {}) {
  const built = await build(t, { ALLOW_PRIVATE_NETWORKS: 'true' })
  const { app, stores } = built
  const receiver = await receive(t)
  await stores.clients.put(codeClient({
    backchannelLogoutUri: receiver.uri, grantTypes: ['authorization_code', 'refresh_token'], idTokenSignedResponseAlg: 'ES256', ...changes
  }))
  const signIn = async (browser = new Browser(app), changes: Record<string, string> = {}) => {
    const search = codeQuery({ scope: 'openid', ...changes })
    const page = await browser.get(`/consent?${search}`)
    const credentials = page.body.includes('name="password"') ? { username: 'ann', password: 'correct horse' } : {}
    const allowed = page.statusCode === 303
      ? page
      : await browser.post(`/consent?${search}`, { transaction: formTokenOf(page), decision: 'allow', ...credentials })
    const exchanged = await post(app, '/token', exchangeForm(queryOf(allowed).code ?? '', { client_id: changes.client_id ?? 'app' }))
    const session = hashOpaqueToken(browser.cookies.get('__Host-session') ?? '')
    return { browser, session, tokens: exchanged.json(), ...decodeJwt<{ sid?: string, sub: string }>(exchanged.json().id_token) }
  }
  const account = async (browser: Browser, fields: Record<string, string>) => {
    const transaction = formTokenOf(await browser.get('/account'))
    return (await browser.post('/account', { transaction, ...fields })).statusCode
  }
  return { ...built, receiver, signIn, account }
}

t.test('each end of a browser session sends its logout token to the apps that had an ID token of it, and to no other (§2.3)', async t => {
  const { app, stores, receiver, signIn, account } = await prepare(t, { idTokenSignedResponseAlg: 'RS256' })
  const rows: Array<[end: string, (signedIn: Awaited<ReturnType<typeof signIn>>) => Promise<unknown>]> = [
    ['by the app', ({ browser, tokens }) => browser.get(`/end-session?${form({ id_token_hint: tokens.id_token })}`)],
    ['at /account', ({ browser }) => account(browser, { decision: 'sign-out' })],
    ['at /sign-out', async ({ browser }) => await browser.post('/sign-out', { transaction: formTokenOf(await browser.get('/sign-out')) })],
    ['in another browser', async ({ session }) => await account((await signIn()).browser, { decision: 'end', session })],
    ['to sign in as another person', async ({ browser }) => {
      const search = codeQuery({ prompt: 'consent' })
      await browser.post(`/consent?${search}`, { transaction: await browser.consent(search), decision: 'switch' })
    }]
  ]
  const other = await signIn()
  for (const [index, [end, work]] of rows.entries()) {
    const signedIn = await signIn()
    t.ok(signedIn.sid !== undefined && signedIn.sid !== other.sid, `${end}: the ID token has a sid`)
    await work(signedIn)
    t.same(await send(app, 1), ['delivered'], end)
    t.equal(receiver.tokens.length, index + 1)
    const payload = await verify(app, receiver.tokens[index]!)
    t.match(payload, { sid: signedIn.sid, sub: signedIn.sub })
    t.strictSame(payload.events, { 'http://schemas.openid.net/event/backchannel-logout': {} })
    t.notOk('nonce' in payload)
    t.equal(payload.exp! - payload.iat!, 120)
  }
  t.ok((await stores.sessions.list(other.sub, new Date())).sessions.some(({ id }) => id === other.session), 'the other session goes on')
  const hint = receiver.tokens[0]!
  t.equal((await other.browser.get(`/end-session?${form({ id_token_hint: hint })}`)).statusCode, 200, 'a logout token is no ID token')
  t.equal((await app.inject({ url: '/userinfo', headers: { authorization: `Bearer ${hint}` } })).statusCode, 401, 'and no access token')
})

t.test('each end of access of a person or client sends one for each session at an app', async t => {
  const { app, stores, receiver, signIn, account } = await prepare(t)
  const rows: Array<[end: string, (browser: Browser) => Promise<unknown>]> = [
    ['access is removed', browser => account(browser, { decision: 'remove', client: 'app' })],
    ['signed out everywhere', browser => account(browser, { decision: 'everywhere' })],
    ['a new password', browser => account(browser, { decision: 'password', password: 'correct horse', new_password: 'correct horse battery' })],
    ['the password is reset', async () => await stores.users.setPassword('ann', (await stores.users.find('ann'))!.passwordHash)],
    ['the client is revoked', () => stores.clients.revoke('app')],
    ['the client is disabled', () => stores.clients.setDisabled('app', new Date())],
    ['the person is disabled', () => stores.users.setDisabled('ann', new Date())]
  ]
  const { passwordHash } = (await stores.users.find('ann'))!
  for (const [end, work] of rows) {
    await stores.clients.setDisabled('app', null)
    const [one, other] = [await signIn(), await signIn()]
    receiver.tokens.length = 0
    await work(one.browser)
    t.same(await send(app, 2), ['delivered', 'delivered'], end)
    const payloads = await Promise.all(receiver.tokens.map(token => verify(app, token)))
    t.same(payloads.map(({ sid }) => sid).sort(), [one.sid, other.sid].sort())
    t.same(receiver.tokens.map(token => decodeProtectedHeader(token).alg), ['ES256', 'ES256'])
    t.equal((await post(app, '/token', form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: one.tokens.refresh_token }))).statusCode >= 400, true)
    if (end === 'a new password') {
      await stores.users.setPassword('ann', passwordHash)
    }
  }
  await send(app, 0)
})

t.test('erased people get their logout tokens, and leave nothing', async t => {
  const { app, stores, receiver, signIn, databaseUrl } = await prepare(t)
  const { sid, sub } = await signIn()
  await stores.users.remove('ann')
  t.same(await send(app, 1), ['delivered'])
  t.match(await verify(app, receiver.tokens[0]!), { sid, sub })
  t.same((await tablesNaming(databaseUrl, sub)).filter(table => table !== 'audit' && table !== 'revocation'), [])
})

t.test('a person who signs in again in the same browser stays signed in at apps, with the same sid; refreshed ID tokens have it too', async t => {
  const { app, receiver, signIn, account } = await prepare(t)
  const first = await signIn()
  const again = await signIn(first.browser, { prompt: 'login' })
  t.equal(again.sid, first.sid)
  const refreshed = await post(app, '/token', form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: again.tokens.refresh_token }))
  t.equal(decodeJwt(refreshed.json().id_token).sid, first.sid)
  await send(app, 0)
  t.same(receiver.tokens, [])
  await account(first.browser, { decision: 'sign-out' })
  await send(app, 1)
  t.match(await verify(app, receiver.tokens[0]!), { sid: first.sid })
})

t.test('an app with pairwise subjects gets its own sub and sid, which another app cannot connect with what it gets', async t => {
  const { app, stores, receiver, signIn, account } = await prepare(t, { sectorIdentifier: 'app.example' })
  await stores.clients.put(codeClient({ id: 'other', backchannelLogoutUri: receiver.uri, idTokenSignedResponseAlg: 'ES256' }))
  const one = await signIn()
  const other = await signIn(one.browser, { client_id: 'other' })
  t.not(one.sub, other.sub)
  t.not(one.sid, other.sid)
  await account(one.browser, { decision: 'sign-out' })
  t.same(await send(app, 2), ['delivered', 'delivered'])
  const told = await Promise.all(receiver.tokens.map(token => verify(app, token, `${decodeJwt(token).aud}`)))
  for (const [clientId, { sub, sid }] of [['app', one], ['other', other]] as const) t.match(told.find(({ aud }) => aud === clientId), { sub, sid })
})

t.test('devices and ID tokens in the front channel have a sid, too', async t => {
  const { app, stores, receiver, account } = await prepare(t, { implicit: 'allowed' })
  await stores.clients.put(deviceClient({ backchannelLogoutUri: receiver.uri, idTokenSignedResponseAlg: 'ES256' }))
  const browser = new Browser(app)
  const { device_code: code, user_code: userCode } = await askForCodes(app, { scope: 'openid' })
  await decide(browser, userCode, 'allow')
  const { sid: device } = decodeJwt((await poll(app, code)).json().id_token)
  const search = query({ response_type: 'id_token', scope: 'openid', nonce: 'n' })
  const front = fragmentOf(await browser.post(`/consent?${search}`, { transaction: await browser.consent(search), decision: 'allow' }))
  const { sid } = decodeJwt(front.id_token!)
  t.ok(device !== undefined && sid !== undefined && device !== sid)
  await account(browser, { decision: 'everywhere' })
  await send(app, 2)
  const told = await Promise.all(receiver.tokens.map(async token => (await verify(app, token, `${decodeJwt(token).aud}`)).sid))
  t.same(told.sort(), [device, sid].sort())
})

t.test('apps without an address for logout tokens, and requests without openid, get no sid and leave no row', async t => {
  const { app, stores, signIn, receiver, account, databaseUrl } = await prepare(t)
  await stores.clients.put(codeClient({ id: 'plain' }))
  const { browser, sid } = await signIn(new Browser(app), { client_id: 'plain' })
  t.equal(sid, undefined)
  const rows = await countRows(databaseUrl)
  await browser.allow(codeQuery(), {})
  t.equal(await countRows(databaseUrl), rows + 3, 'the code, the grant and the consent')
  await account(browser, { decision: 'everywhere' })
  await send(app, 0)
  t.same(receiver.tokens, [])
})

t.test('a code of a session that has ended is refused', async t => {
  const { app, receiver, account } = await prepare(t)
  const browser = new Browser(app)
  const { code } = queryOf(await browser.allow(codeQuery({ scope: 'openid' })))
  await account(browser, { decision: 'sign-out' })
  t.equal((await post(app, '/token', exchangeForm(code!))).json().error, 'invalid_grant')
  t.same(await send(app, 1), ['delivered'])
  t.equal(receiver.tokens.length, 1)
})
