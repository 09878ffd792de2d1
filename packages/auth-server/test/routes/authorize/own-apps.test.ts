import t, { type Test } from 'tap'
import type { Actor } from '../../../src/admin/actor.js'
import { updateClient } from '../../../src/admin/clients.js'
import type { NewClient } from '../../../src/stores/clients/client-row.js'
import { codeClient, codeQuery, exchangeForm, post, queryOf } from '../../support/code-flow.js'
import { askForCodes, deviceClient, enter } from '../../support/device-flow.js'
import { Browser, build, CALLBACK, query } from '../../support/helper.js'
import { METADATA, pathOf, register, send } from '../../support/registration-flow.js'

export const onBothDatabases = true

const BY: Actor = { kind: 'shell', name: 'operator' }
const LOOPBACK = 'http://127.0.0.1/cb'
const PRIVATE = 'com.example.app:/cb'

/** A server with an app of the installation, and the browser of Ann, who has signed in at another app. */
async function signedIn (t: Test, changes: Partial<NewClient> = {}, env: Record<string, string> = {}) {
  const built = await build(t, env)
  const { app, stores } = built
  await stores.clients.put(codeClient({ own: true, callbacks: [CALLBACK, LOOPBACK, PRIVATE], ...changes }))
  await stores.clients.put(codeClient({ id: 'other' }))
  const browser = new Browser(app)
  t.ok(queryOf(await browser.allow(codeQuery({ client_id: 'other' }))).code)
  return { ...built, browser, ask: async (search: string) => await browser.get(`/consent?${search}`) }
}

t.test('a user who is signed in gets no page at an app of the installation, and nothing is remembered', async t => {
  const { app, stores, browser, ask } = await signedIn(t)
  const { code } = queryOf(await ask(codeQuery({ scope: 'customer:read customer:write' })))
  t.match((await post(app, '/token', exchangeForm(code!))).json(), { scope: 'customer:read customer:write' })
  t.ok(queryOf(await ask(codeQuery({ prompt: 'none' }))).code)
  await app.auditTrail.flush()
  t.notOk((await stores.audit.list({ event: 'grant', clientId: 'app' }, 1))[0]?.details.remembered)
  t.match((await browser.get('/account')).body, /An app<\/bdi><\/h3>.*This app belongs to Frontdesk\./s)
  await stores.clients.change('app', { own: false })
  t.match(await ask(codeQuery()), { statusCode: 200, body: /This will allow An app to:.*>Allow<.*>Deny</s })
})

t.test('its page asks to sign in: what it can do stands below the buttons, and is not asked for again', async t => {
  const { app, stores, browser } = await signedIn(t)
  const stranger = new Browser(app)
  const page = await stranger.get(`/consent?${codeQuery()}`)
  t.match(page.body, /<h1>Sign in to <strong>An app<\/strong>.*name="password".*>Sign in<.*value="deny" formnovalidate>Cancel<.*An app can: Look up customers/s)
  t.notMatch(page.body, /class="permissions"|never gives your password/)
  t.ok(queryOf(await stranger.allow(codeQuery())).code)
  await stores.clients.change('app', { own: false })
  t.equal((await stranger.get(`/consent?${codeQuery()}`)).statusCode, 200, 'to sign in was no consent')
  await stores.clients.change('app', { own: true })
  const denied = await browser.post(`/consent?${codeQuery({ prompt: 'consent' })}`, {
    transaction: await browser.consent(codeQuery({ prompt: 'consent' })), decision: 'deny'
  })
  t.equal(queryOf(denied).error, 'access_denied')
})

t.test('what a user cannot allow is left out without a second page', async t => {
  const { app, stores, ask } = await signedIn(t)
  await stores.roles.add('staff', ['customer:write'])
  const search = codeQuery({ scope: 'customer:read customer:write' })
  for (const { code } of [queryOf(await new Browser(app).allow(search)), queryOf(await ask(search))]) {
    t.match((await post(app, '/token', exchangeForm(code!))).json(), { scope: 'customer:read' })
  }
  t.match((await ask(`${search}&prompt=consent`)).body, 'Your account doesn\'t have the role for: Add and edit customers.')
})

t.test('everything else has its page, as if consent had to be remembered (ADR 7)', async t => {
  const { stores, ask } = await signedIn(t, { implicit: 'allowed' })
  const rows: Array<[what: string, search: string]> = [
    ['the implicit grant', query({ scope: 'customer:read' })],
    ['an ID token in the address', query({ response_type: 'id_token token', scope: 'openid', nonce: 'n' })],
    ['prompt=consent', codeQuery({ prompt: 'consent' })],
    ['prompt=login', codeQuery({ prompt: 'login' })],
    ['prompt=select_account', codeQuery({ prompt: 'select_account' })],
    ['a callback on loopback', codeQuery({ redirect_uri: LOOPBACK })],
    ['a private-use scheme', codeQuery({ redirect_uri: PRIVATE })]
  ]
  for (const [what, search] of rows) t.match(await ask(search), { statusCode: 200, body: /<h1>Sign in to <strong>An app/ }, what)
  await stores.clients.change('app', { defaultScope: '' })
  t.equal((await ask(codeQuery())).statusCode, 200, 'a request without scopes')
})

t.test('in development, a callback on loopback has none', async t => {
  const { ask } = await signedIn(t, {}, { ISSUER: 'http://localhost:3000' })
  t.ok(queryOf(await ask(codeQuery({ redirect_uri: LOOPBACK }))).code)
  t.equal((await ask(codeQuery({ redirect_uri: PRIVATE }))).statusCode, 200)
})

t.test('a page that was open while the app was marked, or no longer is, is shown again', async t => {
  const { stores, browser, ask } = await signedIn(t)
  const search = codeQuery({ prompt: 'consent' })
  for (const own of [false, true]) {
    const transaction = await browser.consent(search)
    await stores.clients.change('app', { own })
    t.equal((await browser.post(`/consent?${search}`, { transaction, decision: 'allow' })).statusCode, 409, String(own))
  }
  t.equal((await ask(search)).statusCode, 200)
})

t.test('a device asks for consent, at an app of the installation too', async t => {
  const { app, stores, browser } = await signedIn(t)
  await stores.clients.put(deviceClient({ own: true }))
  const page = await enter(browser, (await askForCodes(app)).user_code)
  t.match(page.body, /class="permissions".*>Allow<.*>Deny</s)
})

t.test('an app cannot mark itself, and a self-registered one cannot be marked', async t => {
  const { app, stores } = await build(t, { REGISTRATION: 'open' })
  const registered = await register(app, { ...METADATA, own: true })
  const { client_id: id, registration_access_token: token } = registered.json()
  t.equal(registered.json().own, undefined)
  await send(app, 'PUT', pathOf(registered), { ...METADATA, client_id: id, own: true }, token)
  t.equal((await stores.clients.find(id))?.own, false)
  const change = updateClient(stores, id, { change: () => ({ own: true }), schemes: [] }, BY)
  await t.rejects(change, { code: 'conflict', faults: [{ field: 'own' }] })
  // Whatever the row says.
  await stores.clients.change(id, { own: true })
  const page = await new Browser(app).get(`/consent?${codeQuery({ client_id: id })}`)
  for (const text of ['This app registered itself', '>Sign in and allow<']) t.match(page.body, text)
})
