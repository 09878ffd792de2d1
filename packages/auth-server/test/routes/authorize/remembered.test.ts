import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { codeClient, codeQuery, exchangeForm, post, queryOf } from '../../support/code-flow.js'
import { Browser, build, CALLBACK, fragmentOf, query } from '../../support/helper.js'

export const onBothDatabases = true

const LOOPBACK = 'http://127.0.0.1/cb'
const READ = codeQuery({ scope: 'customer:read' })
const WRITE = codeQuery({ scope: 'customer:write' })

/** A server with an app of several callbacks, another app, and the browser of Ann, who has allowed the first to look up customers. */
async function allowed (t: Test) {
  const built = await build(t)
  const { app, stores } = built
  const callbacks = [CALLBACK, 'https://app.example/other', LOOPBACK, 'https://localhost/cb', 'com.example.app:/cb']
  await stores.clients.put(codeClient({ callbacks, native: true, implicit: 'allowed', resources: ['https://other.example'] }))
  await stores.clients.put(codeClient({ id: 'other' }))
  await stores.users.add({ id: randomUUID(), username: 'bob', passwordHash: (await stores.users.find('ann'))!.passwordHash, demo: false })
  const browser = new Browser(app)
  t.ok(queryOf(await browser.allow(READ)).code)
  const ask = async (search: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') => {
    const cookie = [...browser.cookies].map(pair => pair.join('=')).join('; ')
    return await app.inject({ method, url: `/consent?${search}`, headers: { cookie, ...headers } })
  }
  return { ...built, browser, ask }
}

t.test('what was allowed is given again without asking, a code of its own each time', async t => {
  const { app, stores, ask } = await allowed(t)
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(READ)))
  const codes = answers.map(answer => queryOf(answer).code!)
  t.equal(new Set(codes).size, 20)
  t.match(answers[0], { statusCode: 303, headers: { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } })
  t.match(queryOf(answers[0]!), { state: 's', iss: 'https://id.example' })
  t.match((await post(app, '/token', exchangeForm(codes[0]!))).json(), { scope: 'customer:read', refresh_token: /./ })
  t.equal((await post(app, '/token', exchangeForm(codes[0]!))).json().error, 'invalid_grant', 'once')
  t.ok(queryOf(await ask(codeQuery({ redirect_uri: 'https://app.example/other' }))).code, 'at another https callback of the app')
  t.ok(queryOf(await ask(codeQuery({ prompt: 'none' }))).code, 'where no page may be shown')
  t.ok(queryOf(await ask(codeQuery({ max_age: '3600' }))).code, 'to who signed in not long ago')
  t.ok(queryOf(await ask(READ, { 'sec-fetch-dest': 'document' })).code, 'in a browser that says where it shows things')
  t.match((await ask(codeQuery({ response_mode: 'form_post' }))).body, /name="code" value="[\w-]{43}"/, 'in any response mode')
  await app.auditTrail.flush()
  t.match(await stores.audit.list({ event: 'grant' }, 1), [{ outcome: 'authorization_code', clientId: 'app', details: { scope: 'customer:read', remembered: true } }])
})

t.test('everything else is asked for', async t => {
  const { ask } = await allowed(t)
  const rows: Array<[what: string, search: string, headers?: Record<string, string>, method?: 'HEAD']> = [
    ['a wider scope', codeQuery({ scope: 'customer:read customer:write' })],
    ['another scope', WRITE],
    ['a scope that is not known here', codeQuery({ scope: 'customer:read other' })],
    ['no scope', codeQuery({ scope: '"' })],
    ['another resource', codeQuery({ resource: 'https://other.example' })],
    ['another app', codeQuery({ client_id: 'other' })],
    ['a callback on loopback, where any program may listen', codeQuery({ redirect_uri: LOOPBACK })],
    ['the same at another port', codeQuery({ redirect_uri: 'http://127.0.0.1:8080/cb' })],
    ['a callback on loopback with TLS', codeQuery({ redirect_uri: 'https://localhost/cb' })],
    ['a scheme that any app may take', codeQuery({ redirect_uri: 'com.example.app:/cb' })],
    ['a token in an address', query({ scope: 'customer:read' })],
    ['prompt=consent', codeQuery({ prompt: 'consent' })],
    ['prompt=select_account', codeQuery({ prompt: 'select_account' })],
    ['prompt=login', codeQuery({ prompt: 'login' })],
    ['max_age', codeQuery({ max_age: '0' })],
    ['HEAD', READ, {}, 'HEAD'],
    ['a frame', READ, { 'sec-fetch-dest': 'iframe' }],
    ['a script', READ, { 'sec-fetch-dest': 'empty' }],
    ['a prefetch', READ, { 'sec-purpose': 'prefetch', 'sec-fetch-dest': 'document' }],
    ['a prerender', READ, { 'sec-purpose': 'prefetch;prerender' }],
    ['an older prefetch', READ, { purpose: 'Prefetch' }]
  ]
  for (const [what, search, headers, method] of rows) {
    const answer = await ask(search, headers, method)
    t.equal(answer.statusCode, 200, what)
    if (method === undefined) t.match(answer.body, '<h1>Sign in to <strong>', what)
  }
  for (const search of [codeQuery({ prompt: 'none', scope: 'customer:write' }), codeQuery({ prompt: 'none', redirect_uri: LOOPBACK })]) {
    t.equal(queryOf(await ask(search)).error, 'consent_required')
  }
})

t.test('the page asks for what is new, and says apart what was allowed already', async t => {
  const { ask, browser } = await allowed(t)
  const both = codeQuery({ scope: 'customer:read customer:write' })
  t.match((await ask(both)).body, /This will also allow.*Add and edit customers.*You already allowed it to.*Look up customers/s)
  t.notMatch((await ask(WRITE)).body, 'already allowed')
  t.match((await ask(codeQuery({ prompt: 'consent' }))).body, /You already allowed it to.*Look up customers/s)
  t.notMatch((await ask(codeQuery({ prompt: 'consent' }))).body, 'be able to')
  await browser.post(`/consent?${both}`, { transaction: await browser.consent(both), decision: 'allow' })
  for (const search of [both, READ, WRITE]) t.ok(queryOf(await ask(search)).code, 'any part of it from now on')
})

t.test('an app that authenticates is known at any callback', async t => {
  const { app, stores } = await build(t)
  const callbacks = [CALLBACK, LOOPBACK, 'com.example.app:/cb']
  await stores.clients.put(codeClient({ callbacks, tokenEndpointAuthMethod: 'client_secret_basic' }))
  const browser = new Browser(app)
  await browser.allow(codeQuery({ redirect_uri: LOOPBACK }))
  for (const callback of callbacks) t.equal((await browser.get(`/consent?${codeQuery({ redirect_uri: callback })}`)).statusCode, 303, callback)
  await stores.clients.put(codeClient({ callbacks }))
  t.equal((await browser.get(`/consent?${codeQuery({ redirect_uri: LOOPBACK })}`)).statusCode, 200, 'until it no longer does')
})

t.test('a consent belongs to one person: another one in the same browser is asked', async t => {
  const { ask, browser } = await allowed(t)
  const switched = await browser.post(`/consent?${WRITE}`, { transaction: await browser.consent(WRITE), decision: 'switch' })
  t.match(switched.body, 'type="password"')
  t.match((await ask(READ)).body, 'type="password"')
  t.equal(queryOf(await ask(codeQuery({ prompt: 'none' }))).error, 'login_required')
  t.ok(fragmentOf(await browser.allow(query(), { username: 'bob', password: 'correct horse' })).access_token)
  const asked = await ask(READ)
  t.match(asked.body, 'signed in as <strong>bob</strong>')
  t.notMatch(asked.body, 'already allowed')
})

t.test('a disabled person or app gets nothing, and an app that was removed needs consent again', async t => {
  const { ask, stores, browser } = await allowed(t)
  await stores.clients.setDisabled('app', new Date())
  t.equal((await ask(READ)).statusCode, 400)
  await stores.clients.setDisabled('app', null)
  await stores.users.setDisabled('ann', new Date())
  t.match((await ask(READ)).body, 'type="password"')
  await stores.users.setDisabled('ann', null)
  await browser.allow(query())
  t.equal((await ask(READ)).statusCode, 303, 'the consent is there for who signs in again')
  await stores.clients.put(codeClient({ name: 'Another name', callbacks: ['https://new.example/cb', CALLBACK] }))
  t.equal((await ask(READ)).statusCode, 303, 'an app may change')
  await stores.clients.remove('app')
  await stores.clients.put(codeClient())
  t.equal((await ask(READ)).statusCode, 200)
})

t.test('a form that is denied, repeated or answered by another person adds nothing to remembered consent', async t => {
  const { ask, browser, stores } = await allowed(t)
  const ann = (await stores.users.find('ann'))!.id
  const transaction = await browser.consent(WRITE)
  await browser.post(`/consent?${WRITE}`, { transaction: await browser.consent(WRITE), decision: 'deny' })
  t.equal((await ask(WRITE)).statusCode, 200, 'denied')
  await browser.post(`/consent?${READ}`, { transaction, decision: 'allow' })
  t.equal((await ask(WRITE)).statusCode, 200, 'for another request')
  await browser.post(`/consent?${WRITE}`, { transaction, decision: 'allow' })
  t.equal((await ask(WRITE)).statusCode, 303)
  await stores.authorizedApps.remove(ann, 'app')
  t.equal((await browser.post(`/consent?${WRITE}`, { transaction, decision: 'allow' })).statusCode, 400)
  t.equal((await ask(WRITE)).statusCode, 200, 'sent again after access was removed')
})

t.test('of 20 consents at once none is lost', async t => {
  const { browser, ask } = await allowed(t)
  const searches = Array.from({ length: 20 }, (_, i) => codeQuery({ scope: `customer:read scope:${i} scope:${i + 1}` }))
  const forms = await Promise.all(searches.map(search => browser.consent(search)))
  await Promise.all(forms.map((transaction, i) => browser.post(`/consent?${searches[i]}`, { transaction, decision: 'allow' })))
  const all = codeQuery({ scope: Array.from({ length: 21 }, (_, i) => `scope:${i}`).join(' ') })
  t.equal((await ask(all)).statusCode, 303)
})

t.test('what is remembered of one person and app has an end; what is beyond is asked for each time', async t => {
  const { browser, ask, stores } = await allowed(t)
  const allow = async (search: string) => await browser.post(`/consent?${search}`, { transaction: await browser.consent(search), decision: 'allow' })
  const scopes = (from: number, count: number) => codeQuery({ scope: Array.from({ length: count }, (_, i) => `s:${from + i}`).join(' ') })
  for (const [what, search, status] of [['50 scopes', scopes(0, 50), 303], ['51 scopes', scopes(0, 51), 200], ['100 letters', codeQuery({ scope: 'x'.repeat(100) }), 303], ['101 letters', codeQuery({ scope: 'x'.repeat(101) }), 200], ['one of 101 letters', codeQuery({ scope: `x ${'x'.repeat(101)}` }), 200]] as const) {
    t.ok(queryOf(await allow(search)).code)
    t.equal((await ask(search)).statusCode, status, what)
  }
  await allow(scopes(50, 50))
  t.equal((await ask(scopes(50, 50))).statusCode, 303)
  await allow(scopes(100, 1))
  t.equal((await ask(scopes(100, 1))).statusCode, 200, 'there are more than a hundred')
  t.equal((await stores.consents.find({ userId: (await stores.users.find('ann'))!.id, clientId: 'app', audience: 'https://api.example' })).length, 102)
})

t.test('access that is removed at the very moment of a request is not given by it', async t => {
  const { ask, stores, app } = await allowed(t)
  const ann = (await stores.users.find('ann'))!.id
  const { find } = stores.consents
  stores.consents.find = async of => {
    const found = await find(of)
    await stores.authorizedApps.remove(ann, 'app')
    return found
  }
  t.equal((await ask(READ)).statusCode, 200)
  stores.consents.find = find
  t.same(await stores.authorizedApps.of(ann, new Date(), 600), { authorizedApps: [], more: false })

  const browser = new Browser(app)
  await browser.allow(READ)
  const asked = Array.from({ length: 20 }, () => browser.get(`/consent?${READ}`))
  await stores.authorizedApps.remove(ann, 'app')
  const codes = (await Promise.all(asked)).flatMap(answer => answer.statusCode === 303 ? [queryOf(answer).code!] : [])
  t.same(await stores.authorizedApps.of(ann, new Date(), 600), { authorizedApps: [], more: false })
  for (const code of codes) t.equal((await post(app, '/token', exchangeForm(code))).json().error, 'invalid_grant')
  t.equal((await browser.get(`/consent?${READ}`)).statusCode, 200)
})
