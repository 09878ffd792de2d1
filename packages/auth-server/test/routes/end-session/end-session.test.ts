import type { LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { codeClient, codeQuery, exchangeForm, post, queryOf } from '../../support/code-flow.js'
import { Browser, build, formTokenOf } from '../../support/helper.js'

const AFTER = 'https://app.example/signed-out?from=id'

/** Ann has signed in at an app. */
async function prepare (t: Test) {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient({ postLogoutRedirectUris: [AFTER] }))
  await stores.clients.put(codeClient({ id: 'other', postLogoutRedirectUris: ['https://other.example/'] }))
  const browser = new Browser(app)
  const { code } = queryOf(await browser.allow(codeQuery({ scope: 'openid' })))
  const { id_token: hint, access_token: accessToken } = (await post(app, '/token', exchangeForm(code!))).json()
  const open = async (parameters: Record<string, string>) => await browser.get(`/end-session?${new URLSearchParams(parameters)}`)
  const isSignedIn = async () => (await browser.get('/sign-out')).body.includes('You\'re signed in as <strong>ann</strong>')
  return { app, stores, browser, hint, accessToken, open, isSignedIn }
}

const place = ({ statusCode, headers: { location } }: LightMyRequestResponse) => `${statusCode} ${location}`

t.test('with an ID token of the person who is signed in, nobody is asked, and the browser goes back with the state', async t => {
  const { app, stores, open, hint, isSignedIn } = await prepare(t)
  t.ok(await isSignedIn())
  const answer = await open({ id_token_hint: hint, post_logout_redirect_uri: AFTER, state: 'a b&c' })
  t.equal(place(answer), `303 ${AFTER}&state=a%20b%26c`)
  t.notOk(await isSignedIn())
  const again = await open({ id_token_hint: hint, post_logout_redirect_uri: AFTER })
  t.equal(place(again), `303 ${AFTER}`, 'also if the session has ended')
  await app.close()
  t.match(await stores.audit.list({ event: 'sign-out' }, 2), [{ outcome: 'done' }], 'once')
})

t.test('without an ID token a page asks; the form works in this browser only', async t => {
  const { app, browser, open, isSignedIn } = await prepare(t)
  const asked = await open({ client_id: 'app', post_logout_redirect_uri: AFTER })
  t.equal(asked.statusCode, 200)
  t.match(asked.body, /<strong>An app<\/strong> asks you to sign out\..*You're signed in as <strong>ann<\/strong>/s)
  t.ok(await isSignedIn(), 'a link signs nobody out')
  const query = new URLSearchParams({ client_id: 'app', post_logout_redirect_uri: AFTER })
  const form = { transaction: formTokenOf(asked) }
  t.equal((await new Browser(app).post(`/end-session?${query}`, form)).statusCode, 403)
  t.equal((await browser.post(`/end-session?${query}&state=x`, form)).statusCode, 403, 'another request')
  t.ok(await isSignedIn())
  t.equal(place(await browser.post(`/end-session?${query}`, form)), `303 ${AFTER}`)
  t.notOk(await isSignedIn())
})

t.test('without an app there is a page at the end', async t => {
  const { browser, open, isSignedIn } = await prepare(t)
  const asked = await open({ post_logout_redirect_uri: AFTER })
  const done = await browser.post(`/end-session?${new URLSearchParams({ post_logout_redirect_uri: AFTER })}`, { transaction: formTokenOf(asked) })
  t.equal(done.statusCode, 200)
  t.match(done.body, /You(&#39;|')re signed out/)
  t.notOk(await isSignedIn())
})

t.test('an app may send a form, which browsers send without the session: it is answered with the address', async t => {
  const { app, browser, hint, isSignedIn } = await prepare(t)
  const sent = await post(app, '/end-session', `${new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: AFTER, state: 's', more: 'x' })}`)
  t.equal(sent.statusCode, 303)
  t.ok(await isSignedIn())
  const url = new URL(String(sent.headers.location))
  t.notOk(url.searchParams.has('more'))
  t.equal(place(await browser.get(`${url.pathname}${url.search}`)), `303 ${AFTER}&state=s`)
})

t.test('nothing is sent to an address that is not registered for the app, and nobody is signed out', async t => {
  const { stores, open, hint, isSignedIn } = await prepare(t)
  for (const parameters of [
    { id_token_hint: hint, post_logout_redirect_uri: `${AFTER}x` },
    { id_token_hint: hint, post_logout_redirect_uri: 'https://other.example/' },
    { client_id: 'app', post_logout_redirect_uri: 'https://evil.example/' },
    { id_token_hint: hint, client_id: 'other', post_logout_redirect_uri: 'https://other.example/' },
    { client_id: 'nobody', post_logout_redirect_uri: AFTER }
  ]) {
    const { statusCode, headers } = await open(parameters)
    t.equal(`${statusCode} ${headers.location}`, '400 undefined', JSON.stringify(parameters))
  }
  await stores.clients.setDisabled('app', new Date())
  t.equal((await open({ id_token_hint: hint, post_logout_redirect_uri: AFTER })).statusCode, 400)
  await stores.clients.setDisabled('app', null)
  t.ok(await isSignedIn())
})

t.test('another person, an access token and a forged token are no ID token of the person who is signed in: a page asks', async t => {
  const { app, stores, browser, open, hint, accessToken, isSignedIn } = await prepare(t)
  const [head, claims] = hint.split('.')
  for (const value of [accessToken, `${head}.${claims}.${'A'.repeat(342)}`, 'nonsense']) {
    t.equal((await open({ client_id: 'app', id_token_hint: value, post_logout_redirect_uri: AFTER })).statusCode, 200)
  }
  t.ok(await isSignedIn())
  const ann = (await stores.users.find('ann'))!
  await stores.users.add({ ...ann, id: 'bob-id', username: 'bob' })
  const bob = new Browser(app)
  await bob.allow(codeQuery({ scope: 'openid' }), { username: 'bob', password: 'correct horse' })
  t.equal((await bob.get(`/end-session?${new URLSearchParams({ id_token_hint: hint })}`)).statusCode, 200, 'Bob is asked')
  t.ok((await bob.get('/sign-out')).body.includes('<strong>bob</strong>'))
  t.ok(browser.cookies.size > 0)
})

t.test('an ID token whose key is not published any more still says which app asks', async t => {
  const { browser, open, hint, isSignedIn } = await prepare(t)
  const head = Buffer.from('{"alg":"RS256","typ":"JWT","kid":"gone"}').toString('base64url')
  const query = { id_token_hint: `${head}.${hint.split('.')[1]}.${'A'.repeat(342)}`, post_logout_redirect_uri: AFTER }
  const asked = await open(query)
  t.ok(await isSignedIn())
  const done = await browser.post(`/end-session?${new URLSearchParams(query)}`, { transaction: formTokenOf(asked) })
  t.equal(place(done), `303 ${AFTER}`)
})

t.test('an address that is not registered is shown, with what differs', async t => {
  const { open } = await prepare(t)
  const { body } = await open({ client_id: 'app', post_logout_redirect_uri: `${AFTER}x` })
  t.match(body, `It asked for <code>${AFTER}x</code>. It differs from the registered address in its <strong>query</strong>.`)
})

t.test('id_token_hint on a sign-in names the person; another one is not taken for her', async t => {
  const { app, stores, browser, hint } = await prepare(t)
  const search = (changes: Record<string, string>) => codeQuery({ scope: 'openid', id_token_hint: hint, ...changes })
  const silent = { prompt: 'none' }
  t.ok(queryOf(await browser.get(`/consent?${search(silent)}`)).error !== 'login_required', 'Ann has a session')
  const ann = (await stores.users.find('ann'))!
  await stores.users.add({ ...ann, id: 'bob-id', username: 'bob' })
  const bob = new Browser(app)
  const credentials = { username: 'bob', password: 'correct horse' }
  await bob.allow(codeQuery({ scope: 'openid' }), credentials)
  t.equal(queryOf(await bob.get(`/consent?${search(silent)}`)).error, 'login_required')
  t.match((await bob.get(`/consent?${search({})}`)).body, 'name="password"', 'the page asks for a password')
  t.equal(queryOf(await bob.allow(search({}), credentials)).error, 'login_required')
  t.ok(queryOf(await bob.allow(search({}))).code, 'Ann signs in there')
  const wrong = queryOf(await browser.get(`/consent?${search({ id_token_hint: 'nonsense' })}`))
  t.equal(wrong.error_description, 'The parameter id_token_hint has an invalid value.')
})
