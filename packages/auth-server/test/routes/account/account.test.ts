import { randomUUID } from 'node:crypto'
import t from 'tap'
import { codeClient, codeQuery, exchangeForm, form, getCode, post, queryOf } from '../../support/code-flow.js'
import { Browser, build, client, query, formTokenOf } from '../../support/helper.js'

export const onBothDatabases = true

const ann = { username: 'ann', password: 'correct horse' }

/** Signs in at the account page; gives the page. */
async function enter (browser: Browser, credentials = ann) {
  return await browser.post('/account', { transaction: formTokenOf(await browser.get('/account')), decision: 'sign-in', ...credentials })
}

t.test('the account page asks who it is, and shows each app with what it may do', async t => {
  const { app, stores } = await build(t)
  const browser = new Browser(app)
  const asked = await browser.get('/account')
  t.equal(asked.statusCode, 200)
  t.match(asked.body, 'Sign in to your account')
  t.match((await enter(browser)).body, 'No apps have access to your account.')
  await stores.clients.put(client({ id: 'other', name: 'Another app' }))
  await browser.allow(query({ scope: 'customer:read' }), {})
  await browser.allow(query({ scope: 'customer:write' }), {})
  await browser.allow(query({ client_id: 'other' }), {})
  const { body } = await browser.get('/account')
  t.match(body, /Another app.*Look up customers.*An app.*Look up customers.*Add and edit customers/s, 'the app used last comes first')
  t.equal(body.match(/Remove access/g)?.length, 2)
  const ends = /Expires<.*?datetime="(.*?)"/s.exec(body)?.[1] ?? ''
  t.ok(Math.abs(Date.parse(ends) - Date.now() - 600_000) < 10_000, `it ends with its token, ${ends}`)
})

t.test('what is removed is revoked, every grant of it and no other', async t => {
  const { app, stores } = await build(t)
  const browser = new Browser(app)
  const transaction = formTokenOf(await enter(browser))
  await stores.clients.put(client({ id: 'other', name: 'Another app' }))
  for (const id of ['app', 'app', 'other']) await browser.allow(query({ client_id: id }), {})
  const removed = await browser.post('/account', { transaction, decision: 'remove', client: 'app' })
  t.match([removed.statusCode, removed.headers.location], [303, '/account'], 'loading the page again sends no form again')
  const { body } = await browser.get('/account')
  t.match(body, 'Access removed.')
  t.notMatch(body, /<h3><bdi>An app/)
  t.match(body, /<h3><bdi>Another app/)
  for (const search of ['', '?done=removed', '?done=password']) {
    t.notMatch((await browser.get(`/account${search}`)).body, 'id="message"', 'it is said once, and no link can say it')
  }
  const { revoked, more } = (await browser.get('/revocations')).json()
  t.equal(revoked.length, 1, 'the person at the app, however many grants')
  t.equal(more, false)
  t.ok(revoked.every(({ ends }: { ends: number }) => ends > Date.now() / 1_000))
})

t.test('what is removed cannot be renewed: not by a refresh token, nor by a code that was not exchanged yet', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient())
  const token = (await post(app, '/token', exchangeForm(await getCode(app)))).json().refresh_token
  const code = await getCode(app)
  const browser = new Browser(app)
  const transaction = formTokenOf(await enter(browser))
  await browser.post('/account', { transaction, decision: 'remove', client: 'app' })
  for (const [what, payload] of [
    ['a code', exchangeForm(code)],
    ['a refresh token', form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: token })]
  ] as const) {
    const answer = await post(app, '/token', payload)
    t.match([answer.statusCode, answer.json().error], [400, 'invalid_grant'], what)
  }
  t.match((await browser.get('/account')).body, 'No apps have access')
})

t.test('a person cannot remove the access that another person gave', async t => {
  const { app, stores } = await build(t)
  await stores.users.add({ id: randomUUID(), username: 'bob', passwordHash: (await stores.users.find('ann'))!.passwordHash, demo: false })
  const [browser, other] = [new Browser(app), new Browser(app)]
  await enter(browser)
  await browser.allow(query(), {})
  const transaction = formTokenOf(await enter(other, { ...ann, username: 'bob' }))
  t.equal((await other.post('/account', { transaction, decision: 'remove', client: 'app' })).statusCode, 303)
  t.match((await browser.get('/account')).body, '<h3><bdi>An app')
  for (const [what, form] of [
    ['a form of another browser', { transaction }],
    ['a changed form', { transaction: `${transaction}x` }],
    ['no form', {}]
  ] as const) {
    t.equal((await browser.post('/account', { ...form, decision: 'remove', client: 'app' })).statusCode, 403, what)
  }
  t.match((await browser.get('/account')).body, '<h3><bdi>An app')
})

t.test('signing out everywhere ends the sessions of every browser', async t => {
  const { app } = await build(t)
  const [here, there] = [new Browser(app), new Browser(app)]
  await enter(there)
  const transaction = formTokenOf(await enter(here))
  t.match((await here.post('/account', { transaction, decision: 'everywhere' })).body, 'signed out')
  for (const browser of [here, there]) t.match((await browser.get('/account')).body, 'Sign in to your account')
})

t.test('a password is changed by who knows the one now, and ends every other session', async t => {
  const { app } = await build(t)
  const [here, there] = [new Browser(app), new Browser(app)]
  await enter(there)
  const transaction = formTokenOf(await enter(here))
  const change = (password: string, wanted: string) =>
    here.post('/account', { transaction, decision: 'password', password, new_password: wanted })
  const rows = [
    ['wrong', 'battery staple', 'Wrong current password.'],
    ['correct horse', 'short', 'The password is too short']
  ] as const
  for (const [password, wanted, sentence] of rows) {
    const refused = await change(password, wanted)
    t.equal(refused.statusCode, 403)
    t.match(refused.body, sentence)
  }
  t.match((await change('correct horse', 'battery staple')).headers.location, /^\/account$/)
  t.match((await here.get('/account')).body, /Password changed\..*Your account/s)
  t.match((await there.get('/account')).body, 'Sign in to your account')
  t.equal((await enter(new Browser(app))).statusCode, 403)
  t.match((await enter(new Browser(app), { ...ann, password: 'battery staple' })).body, 'Your account')
})

t.test('a changed password ends what apps have, of that person alone', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient({ implicit: 'allowed' }))
  await stores.users.add({ id: randomUUID(), username: 'bob', passwordHash: (await stores.users.find('ann'))!.passwordHash, demo: false })
  const refreshOf = async (code: string) => (await post(app, '/token', exchangeForm(code))).json().refresh_token
  const renew = async (token: string) =>
    (await post(app, '/token', form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: token }))).statusCode
  const [token, code] = [await refreshOf(await getCode(app)), await getCode(app)]
  const bob = await refreshOf(queryOf(await new Browser(app).allow(codeQuery(), { ...ann, username: 'bob' })).code!)
  const browser = new Browser(app)
  const transaction = formTokenOf(await enter(browser))
  await browser.allow(query(), {})
  t.equal(
    (await browser.post('/account', { transaction, decision: 'password', password: 'correct horse', new_password: 'battery staple' }))
      .statusCode,
    303
  )
  t.equal(await renew(token), 400)
  t.equal((await post(app, '/token', exchangeForm(code))).statusCode, 400)
  t.equal(await renew(bob), 200)
  t.equal((await browser.get('/revocations')).json().revoked.length, 1, 'the person, with every access token')
})

t.test('a wrong password at the account page counts as at the consent page', async t => {
  const { app } = await build(t)
  for (let i = 0; i < 5; i++) t.equal((await enter(new Browser(app), { ...ann, password: 'wrong' })).statusCode, 403)
  t.equal((await enter(new Browser(app))).statusCode, 429)
  t.equal((await new Browser(app).allow()).statusCode, 429)
})

t.test('an app that has no token left, and gets one without asking, is shown until access is removed; then it has to ask', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient())
  const browser = new Browser(app)
  const transaction = formTokenOf(await enter(browser))
  const search = codeQuery({ scope: 'customer:read' })
  const ask = async () => (await browser.get(`/consent?${search}`)).statusCode
  await browser.allow(search, {})
  t.match((await browser.get('/account')).body, /Last used.*without asking you/s)
  await stores.removeExpired('grant', new Date(Date.now() + 86_400_000))
  const { body } = await browser.get('/account')
  t.match(body, /An app.*Look up customers.*Allowed.*without asking you/s)
  t.notMatch(body, 'Last used')
  t.equal(await ask(), 303)
  await browser.post('/account', { transaction, decision: 'remove', client: 'app' })
  t.notMatch((await browser.get('/account')).body, '<h3><bdi>An app')
  t.equal(await ask(), 200)
  await app.auditTrail.flush()
  t.match(await stores.audit.list({ event: 'revocation' }, 10), [{ outcome: 'person', clientId: 'app', details: { remembered: 1 } }])
})

t.test('an app whose tokens have ended is shown no more, though its grant is kept for a while', async t => {
  const { app, stores } = await build(t)
  const browser = new Browser(app)
  await enter(browser)
  await browser.allow(query(), {})
  const userId = (await stores.users.find('ann'))!.id
  const shown = async (seconds: number, ttl = 600) =>
    (await stores.authorizedApps.of(userId, new Date(Date.now() + seconds * 1_000), ttl)).authorizedApps.length
  t.same([await shown(0), await shown(590), await shown(665)], [1, 1, 0], 'a code may be exchanged for up to a minute')
  await stores.clients.put(client({ accessTokenTtl: 7_200 }))
  await browser.allow(query(), {})
  await stores.clients.put(client({ accessTokenTtl: 60 }))
  t.same([await shown(7_100), await shown(7_300)], [1, 0], 'a lifetime that is shorter now says nothing of the tokens that are out')
})
