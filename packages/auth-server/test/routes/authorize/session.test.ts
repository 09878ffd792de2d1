import type { AccessToken } from '@frontdesk/schemas/access-token'
import { decodeJwt } from 'jose'
import t from 'tap'
import { codeClient, codeQuery, exchangeForm, form, post, queryOf } from '../../support/code-flow.js'
import { Browser, build, fragmentOf, query, formTokenOf } from '../../support/helper.js'

export const onBothDatabases = true

t.test('two servers on one host under different paths have cookies of their own', async t => {
  // On loopback, emails are shown: the third cookie is of a known browser.
  for (const [origin, prefix, cookies] of [['https://id.example', '__Host-', 2], ['http://localhost:3000', '', 3]] as const) {
    const jar = new Map<string, string>()
    const paths = ['', '/a', '/a/b', '/a-b', '/A']
    const pages = await Promise.all(paths.map(async path => ({ path, ...await build(t, { ISSUER: origin + path }) })))
    for (const { path, app } of pages) {
      const browser = new Browser(app, '192.0.2.1', jar)
      const page = await browser.get(`${path}/account`)
      const form = { transaction: formTokenOf(page), decision: 'sign-in', username: 'ann', password: 'correct horse' }
      t.match((await browser.post(`${path}/account`, form)).body, 'signed in as', path)
    }
    t.equal(jar.size, cookies * paths.length, [...jar.keys()].join(' '))
    for (const name of jar.keys()) t.ok(name.startsWith(prefix) && /^[\w+~.-]+$/.test(name), name)
    for (const { path, app } of pages) t.match((await new Browser(app, '192.0.2.1', jar).get(`${path}/account`)).body, 'signed in as', path)
  }
})

t.test('who is signed in sees their name in place of the password and can say "not you?"', async t => {
  const { app } = await build(t)
  const browser = new Browser(app)
  await browser.allow()
  const page = await browser.get(`/consent?${query()}`)
  t.match(page.body, 'signed in as <strong>ann</strong>')
  t.notMatch(page.body, 'type="password"')
  const allowed = await browser.post(`/consent?${query()}`, { transaction: formTokenOf(page), decision: 'allow' })
  t.ok(fragmentOf(allowed).access_token)

  const switched = await browser.post(`/consent?${query()}`, { transaction: await browser.consent(), decision: 'switch' })
  t.equal(switched.statusCode, 200)
  t.match(switched.body, 'type="password"')
  t.notOk(browser.cookies.has('__Host-session'))
  const pressed = await browser.post(`/consent?${query()}`, { transaction: formTokenOf(switched), decision: 'allow' })
  t.equal(pressed.statusCode, 403, 'and is not signed in any more')
})

t.test('a form of one session does not allow access for the person who signed in later', async t => {
  const { app, stores } = await build(t)
  const browser = new Browser(app)
  await browser.allow()
  const page = await browser.consent()
  const ann = await stores.users.find('ann')
  await stores.users.add({ id: 'bob-id', username: 'bob', passwordHash: ann!.passwordHash, demo: false })
  const search = query({ state: 'other tab' })
  const switched = await browser.post(`/consent?${search}`, { transaction: await browser.consent(search), decision: 'switch' })
  await browser.post(`/consent?${search}`, {
    transaction: formTokenOf(switched),
    decision: 'allow',
    username: 'bob',
    password: 'correct horse'
  })
  t.equal((await browser.post(`/consent?${query()}`, { transaction: page, decision: 'allow' })).statusCode, 403)
})

t.test('the session id changes at every sign-in, and a planted one is worth nothing', async t => {
  const { app } = await build(t)
  const browser = new Browser(app)
  browser.cookies.set('__Host-session', 'A'.repeat(43))
  t.match((await browser.get(`/consent?${query()}`)).body, 'type="password"')
  await browser.allow()
  const first = browser.cookies.get('__Host-session')
  t.not(first, 'A'.repeat(43))
  await browser.allow()
  t.not(browser.cookies.get('__Host-session'), first)
  const old = new Browser(app)
  old.cookies.set('__Host-session', first!)
  t.match((await old.get(`/consent?${query()}`)).body, 'type="password"', 'the old one has ended')
})

t.test('a disabled person is signed out at once; a changed password ends every session; and what apps have ends with both', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient({ implicit: 'allowed' }))
  for (const end of [() => stores.users.setDisabled('ann', new Date()), () => stores.users.setPassword('ANN', 'x')]) {
    await stores.users.setDisabled('ann', null)
    const browser = new Browser(app)
    const { access_token: implicit = '' } = fragmentOf(await browser.allow())
    const search = codeQuery({ prompt: 'consent' })
    const allow = async () => await browser.post(`/consent?${search}`, { transaction: await browser.consent(search), decision: 'allow' })
    const { access_token: access, refresh_token: refresh } = (await post(app, '/token', exchangeForm(queryOf(await allow()).code!))).json()
    const unused = queryOf(await allow()).code!
    t.match((await browser.get(`/consent?${query()}`)).body, 'signed in as')
    await end()
    // as: they are access tokens.
    const ended = [implicit, access].map(token => decodeJwt(token) as AccessToken)
    t.same(await Promise.all(ended.map(token => stores.revocations.covers(token))), [true, true])
    await stores.users.setDisabled('ann', null)
    t.equal(
      (await post(app, '/token', form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: refresh }))).json().error,
      'invalid_grant'
    )
    t.equal((await post(app, '/token', exchangeForm(unused))).json().error, 'invalid_grant')
    t.equal(
      (await stores.consents.find({ userId: String(decodeJwt(access).sub), clientId: 'app', audience: 'https://api.example' })).length,
      1,
      'what was allowed is remembered'
    )
    t.match((await browser.get(`/consent?${query()}`)).body, 'type="password"')
  }
})

t.test('sign-out asks, checks that the form is this browser\'s, and ends the session', async t => {
  const { app } = await build(t)
  const browser = new Browser(app)
  await browser.allow()
  t.equal((await browser.post('/sign-out', { transaction: await browser.consent() })).statusCode, 403, "a consent page's field will not do")
  const asked = await browser.get('/sign-out')
  t.match(asked.body, 'signed in as <strong>ann</strong>')
  const done = await browser.post('/sign-out', { transaction: formTokenOf(asked) })
  t.match(done.body, /You(&#39;|')re signed out/)
  t.match((await browser.get('/sign-out')).body, /You(&#39;|')re signed out/)
  t.match((await browser.get(`/consent?${query()}`)).body, 'type="password"')
})
