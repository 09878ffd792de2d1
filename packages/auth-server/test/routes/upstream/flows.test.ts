import t from 'tap'
import { loadConfig } from '../../../src/config.js'
import { codeClient, codeQuery, queryOf } from '../../support/code-flow.js'
import { addAuthenticator } from '../../support/factors.js'
import { Browser, formTokenOf } from '../../support/helper.js'
import { requestsCode } from '../../support/second-step.js'
import { connectUpstream, pressUpstream, signInUpstream, startPair, toPath } from '../../support/upstream.js'

/** A server whose user ann has connected her account, and the code client `app`. */
async function prepare (t: Parameters<typeof startPair>[0], env: Record<string, string> = {}) {
  const pair = await startPair(t, env)
  await pair.stores.clients.put(codeClient())
  await connectUpstream(pair, new Browser(pair.app))
  const ann = async () => (await pair.stores.users.find('ann'))!
  return { ...pair, ann }
}

t.test('the local second factor is still asked for, and amr says what was used', async t => {
  const pair = await prepare(t)
  const { app, stores, ann } = pair
  const { code } = await addAuthenticator(stores, loadConfig({}), await ann())
  const browser = new Browser(app)
  const { headers } = await signInUpstream(pair, browser, `/consent?${codeQuery()}`)
  const consent = await browser.get(String(headers.location))
  const page = await browser.post(`/consent?${codeQuery()}`, { transaction: formTokenOf(consent), decision: 'allow' })
  t.ok(requestsCode(page))
  t.ok(requestsCode(await browser.get('/account')), 'the account page asks for it, too')
  const wrong = await browser.post(`/consent?${codeQuery()}`, { transaction: formTokenOf(page), decision: 'allow', code: '000000' })
  t.equal(wrong.statusCode, 403)
  const allowed = await browser.post(`/consent?${codeQuery()}`, { transaction: formTokenOf(wrong), decision: 'allow', code: code() })
  t.match(queryOf(allowed), { code: /./ })
  t.match((await stores.users.exportRows((await ann()).id)).rows.sessions.map(it => (it as { amr: string }).amr), ['pwd', 'fed otp mfa'])
})

t.test('an app that requires a second factor is not satisfied by whatever was used at the provider', async t => {
  const pair = await prepare(t)
  const { app, stores } = pair
  await stores.clients.put(codeClient({ requiredAcr: 'urn:frontdesk:acr:mfa' }))
  const browser = new Browser(app)
  const { headers } = await signInUpstream(pair, browser, `/consent?${codeQuery()}`)
  const consent = await browser.get(String(headers.location))
  const refused = await browser.post(`/consent?${codeQuery()}`, { transaction: formTokenOf(consent), decision: 'allow' })
  t.equal(refused.headers.location, undefined)
})

for (const changes of [{ prompt: 'login' }, { max_age: '0' }, { max_age: '60' }]) {
  t.test(`${JSON.stringify(changes)} makes the user sign in again at the provider, and once is enough`, async t => {
    const pair = await prepare(t)
    const { app, upstream } = pair
    const query = codeQuery(changes)
    const there = new Browser(upstream.app)
    await there.allow()
    const browser = new Browser(app)
    const pressed = new URL(String((await pressUpstream(browser, `/consent?${query}`)).headers.location))
    t.equal(pressed.searchParams.get('max_age'), changes.max_age ?? '0')
    t.equal(pressed.searchParams.get('prompt'), changes.max_age === '60' ? null : 'login')
    const returned = await browser.get(await pair.answerOf(pressed.href, there))
    t.equal(returned.headers.location, `/consent?${query}`)
    const consent = await browser.get(String(returned.headers.location))
    t.match(consent.body, /signed in as <strong>ann/)
    const allowed = await browser.post(`/consent?${query}`, { transaction: formTokenOf(consent), decision: 'allow' })
    t.match(queryOf(allowed), { code: /./ })
    if (changes.max_age === '60') return
    t.match((await browser.get(`/consent?${query}`)).body, 'name="password"', 'the next request asks again')
  })
}

t.test('a note that the user has signed in is only for its request, browser and user', async t => {
  const pair = await prepare(t)
  const query = codeQuery({ prompt: 'login' })
  const browser = new Browser(pair.app)
  await signInUpstream(pair, browser, `/consent?${query}`)
  t.match((await browser.get(`/consent?${codeQuery({ prompt: 'login', state: 'other' })}`)).body, 'name="password"')
})

t.test('the console and its scopes do not accept the upstream provider, and offer no button for it', async t => {
  const pair = await prepare(t, { ADMIN: 'true' })
  const { app, stores } = pair
  await stores.clients.put(codeClient({ allowedScope: 'admin:read customer:read' }))
  await stores.roles.assign('ann', { add: ['administrator'], remove: [] })
  const browser = new Browser(app)
  const query = codeQuery({ scope: 'admin:read', resource: 'https://id.example/admin/api' })
  t.notMatch((await browser.get(`/consent?${query}`)).body, 'Sign in with Example')
  await signInUpstream(pair, browser, '/account')
  t.match((await browser.get('/account')).body, /signed in as <strong>ann/)
  t.match((await browser.get(`/consent?${query}`)).body, 'name="password"')
  const { headers } = await signInUpstream(pair, browser, `/consent?${query}`)
  t.match((await browser.get(String(headers.location))).body, 'name="password"', 'a forged press of the button is no way in')
  const toConsole = await browser.get('/admin/')
  const asked = await browser.get(toPath(new URL(String(toConsole.headers.location), 'https://id.example').href))
  const page = asked.headers.location === undefined ? asked : await browser.get(toPath(new URL(String(asked.headers.location), 'https://id.example').href))
  t.match(page.body, 'Sign in to administration')
  t.match(page.body, 'name="password"')
  t.notMatch(page.body, 'Sign in with Example')
})

t.test('while the provider is down, the button says so at once, and the password form works', async t => {
  const { app, stores } = await startPair(t, { UPSTREAM_ISSUER: 'http://127.0.0.1:1' })
  await stores.clients.put(codeClient())
  for (const browser of [new Browser(app), new Browser(app)]) {
    const down = await pressUpstream(browser, `/consent?${codeQuery()}`)
    t.equal(down.statusCode, 503)
    t.match(down.body, 'The other sign-in provider cannot be reached right now.')
    t.match(down.body, `href="https://id.example/authorize?${codeQuery().replaceAll('&', '&amp;')}"`)
  }
  t.match(queryOf(await new Browser(app).allow(codeQuery())), { code: /./ })
})

t.test('without the settings there is no route, no button and no page', async t => {
  const { upstream: { app } } = await startPair(t)
  for (const path of ['/upstream/callback?state=x', '/account/upstream']) t.equal((await new Browser(app).get(path)).statusCode, 404)
  t.notMatch((await new Browser(app).get('/account')).body, 'upstream')
  const browser = new Browser(app)
  t.equal((await pressUpstream(browser, '/account')).statusCode, 403, 'the button is none')
})
