import t, { type Test } from 'tap'
import { hashOpaqueToken } from '../../../src/sign-in/opaque-token.js'
import { post } from '../../support/code-flow.js'
import { askForCodes, decide, deviceClient, enter, poll } from '../../support/device-flow.js'
import { Browser, build, formTokenOf } from '../../support/helper.js'

export const onBothDatabases = true

async function prepare (t: Test, env: Record<string, string> = {}) {
  const built = await build(t, env)
  await built.stores.clients.put(deviceClient())
  return { ...built, browser: new Browser(built.app) }
}

/** The text that a page warns with, without tags. */
const refusalOf = ({ body }: { body: string }) => /<div class="refusal"[^]*?<\/div>/.exec(body)?.[0].replaceAll(/<[^>]*>|\s+/g, ' ').trim()

t.test('the page asks for the code, which a link fills in, but never goes on without a click', async t => {
  const { app, browser, logs } = await prepare(t)
  const codes = await askForCodes(app)
  t.match(codes, { user_code: /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/, verification_uri: 'https://id.example/device', expires_in: 600, interval: 5 })
  t.equal(codes.verification_uri_complete, `https://id.example/device?user_code=${codes.user_code}`)
  const empty = await browser.get('/device')
  t.equal(empty.statusCode, 200)
  t.match(empty.headers, { 'cache-control': 'no-store', 'content-security-policy': /form-action 'self';.*frame-ancestors 'none'/ })
  t.match(empty.body, /name="user_code" dir="ltr" inputmode="text" autocapitalize="characters" autocomplete="off"/)
  await decide(browser, codes.user_code, 'deny')
  t.same(logs.filter(line => line.includes('"level":40')), [], 'one page is sent, not two')
  const other = await askForCodes(app)
  const filled = await browser.get(new URL(other.verification_uri_complete).href.replace('https://id.example', ''))
  t.match(filled.body, `value="${other.user_code}"`)
  t.notMatch(filled.body, /value="allow"/, 'also in a session')
  t.match((await browser.get('/device?user_code=%22%3E%3Cscript%3Ebcdf%20ghjk')).body, 'value="SCRIPTBCDFGHJK"')
  t.equal((await browser.get('/device?user_code=%zz')).statusCode, 400)
})

t.test('the consent page names the app, the code and what it may do, and warns of others\' codes (RFC 8628 §5.4)', async t => {
  const { app, browser } = await prepare(t)
  const { user_code: userCode } = await askForCodes(app, { scope: 'customer:read x' })
  const typed = ` ${userCode.toLowerCase().replace('-', ' – ')} `
  const page = await enter(browser, typed)
  t.equal(page.statusCode, 200)
  for (const text of ['A television', userCode, 'on your own device, and it shows this code', '<code>x</code>', 'name="password"']) t.match(page.body, text)
  const wrong = await browser.post('/device', {
    transaction: formTokenOf(page), user_code: userCode, decision: 'allow', username: 'ann', password: 'wrong'
  })
  t.equal(wrong.statusCode, 403)
  t.match(wrong.body, 'Wrong user name or password')
  const allowed = await browser.post('/device', {
    transaction: formTokenOf(wrong), user_code: userCode, decision: 'allow', username: 'ann', password: 'correct horse'
  })
  t.match(allowed, { statusCode: 303, headers: { location: '/device', 'cache-control': 'no-store' } })
  const done = await browser.get('/device')
  t.match(done.body, /You're connected\./)
  t.notMatch((await browser.get('/device')).body, 'You can go back', 'once')
})

t.test('a person who is signed in is asked every time, and may sign in as another', async t => {
  const { app, stores, browser } = await prepare(t)
  const first = await askForCodes(app)
  await decide(browser, first.user_code, 'allow')
  const { device_code: code, user_code: userCode } = await askForCodes(app)
  const page = await enter(browser, userCode)
  t.match(page.body, /You're signed in as <strong>ann<\/strong>/)
  t.match(page.body, 'This will allow', 'what was allowed before is not remembered')
  const switched = await decide(browser, userCode, 'switch', page)
  t.match(switched.body, 'name="password"')
  t.equal((await decide(browser, userCode, 'allow', page)).statusCode, 403, 'the session has ended')
  t.equal((await decide(browser, userCode, 'allow', switched)).statusCode, 303)
  t.match((await decide(browser, userCode, 'allow', switched)).body, 'The app already has its response.')
  t.equal((await poll(app, code)).statusCode, 200)
  t.same(await stores.consents.find({ userId: (await stores.users.find('ann'))!.id, clientId: 'tv', audience: 'https://api.example' }), [])
})

t.test('forms of other browsers and for other codes are refused', async t => {
  const { app, browser } = await prepare(t)
  const [mine, other] = [await askForCodes(app), await askForCodes(app)]
  const entry = formTokenOf(await browser.get('/device'))
  const consent = formTokenOf(await enter(browser, mine.user_code))
  const credentials = { username: 'ann', password: 'correct horse' }
  const fields = (transaction: string, decision: string, userCode = mine.user_code) =>
    ({ transaction, user_code: userCode, decision, ...credentials })
  const stranger = new Browser(app)
  await stranger.get('/device')
  const rows: Array<[what: string, from: Browser, form: Record<string, string>, status: number]> = [
    ['no token', browser, fields('', 'allow'), 403],
    ['the token of the page for any code', browser, fields(entry, 'allow'), 403],
    ['the token of another code', browser, fields(consent, 'allow', other.user_code), 403],
    ['the token of a decision', browser, fields(consent, 'continue'), 403],
    ['another browser', stranger, fields(consent, 'allow'), 403],
    ['another browser that denies', stranger, fields(consent, 'deny'), 403],
    ['no cookie', new Browser(app), fields(consent, 'allow'), 403],
    ['no decision', browser, { transaction: consent, user_code: mine.user_code }, 400]
  ]
  for (const [what, from, form, status] of rows) {
    const response = await from.post('/device', form)
    t.equal(response.statusCode, status, what)
    t.match(response.body, status === 403 ? 'href="https://id.example/device"' : 'incomplete')
  }
  t.match((await poll(app, mine.device_code)).json(), { error: 'authorization_pending' })
  t.equal((await browser.post('/device', fields(consent, 'allow'))).statusCode, 303)
})

t.test('a code that was decided, by anyone, cannot be decided again', async t => {
  const { app, stores, browser } = await prepare(t)
  const { device_code: code, user_code: userCode } = await askForCodes(app)
  const bob = new Browser(app, '192.0.2.2')
  const ann = (await stores.users.find('ann'))!
  await stores.users.add({ id: '018f0000-0000-7000-8000-000000000001', username: 'bob', passwordHash: ann.passwordHash, demo: false })
  const [mine, his] = [await enter(browser, userCode), await enter(bob, userCode)]
  const allow = async (from: Browser, page: typeof mine, username: string) => await from.post('/device', {
    transaction: formTokenOf(page), user_code: userCode, decision: 'allow', username, password: 'correct horse'
  })
  const responses = await Promise.all([
    allow(browser, mine, 'ann'), allow(bob, his, 'bob'), decide(browser, userCode, 'deny', mine), allow(browser, mine, 'ann')
  ])
  t.same(responses.map(({ statusCode }) => statusCode).sort(), [303, 400, 400, 400])
  for (const { statusCode, body } of responses) if (statusCode === 400) t.match(body, /This code is wrong, has expired or was already used|This page has already been used/)
  const holdings = await Promise.all(['ann', 'bob'].map(async it => (await stores.users.storedData(it, new Date()))!.clients))
  t.equal(holdings.flat().length, (await poll(app, code)).statusCode === 200 ? 1 : 0)
  for (const decision of ['allow', 'deny', 'switch']) t.equal((await decide(browser, userCode, decision, mine)).statusCode, 400)
})

t.test('a code that has expired, or whose client is disabled, is like a wrong one', async t => {
  const { stores, app, browser } = await prepare(t)
  const now = new Date()
  const late = { clientId: 'tv', scope: '', audience: 'x', acrValues: '', maxAge: null, pollInterval: 5, createdAt: now, expiresAt: now }
  await stores.deviceCodes.add({ ...late, hash: 'late', userCodeHash: hashOpaqueToken('BCDFGHJK') })
  const { user_code: userCode } = await askForCodes(app)
  const page = await enter(browser, userCode)
  await stores.clients.setDisabled('tv', now)
  for (const code of ['BCDF-GHJK', userCode]) t.match(refusalOf(await enter(browser, code)), 'This code is wrong, has expired or was already used.')
  t.equal((await decide(browser, userCode, 'allow', page)).statusCode, 409)
})

t.test('the page is below the path of the issuer', async t => {
  const { app, stores } = await build(t, { ISSUER: 'https://id.example/auth' })
  await stores.clients.put(deviceClient())
  const codes = (await post(app, '/auth/device_authorization', 'client_id=tv')).json()
  t.equal(codes.verification_uri_complete, `https://id.example/auth/device?user_code=${codes.user_code}`)
  const browser = new Browser(app)
  const fields = { user_code: codes.user_code, username: 'ann', password: 'correct horse' }
  const entry = await browser.get('/auth/device')
  const consent = await browser.post('/auth/device', { ...fields, transaction: formTokenOf(entry), decision: 'continue' })
  for (const page of [entry, consent]) t.match(page.body, 'action="/auth/device"')
  const done = await browser.post('/auth/device', { ...fields, transaction: formTokenOf(consent), decision: 'allow' })
  t.match(done, { statusCode: 303, headers: { location: '/auth/device' } })
  t.match((await browser.get('/auth/device')).body, 'href="/auth/account"')
})

t.test('guessing is throttled by source, and right codes do not count (RFC 8628 §5.1)', async t => {
  const { app, browser } = await prepare(t)
  const { user_code: userCode } = await askForCodes(app)
  const right = await Promise.all(Array.from({ length: 25 }, () => enter(new Browser(app), userCode)))
  t.same(new Set(right.map(({ statusCode }) => statusCode)), new Set([200]))
  for (let i = 0; i < 12; i++) t.equal((await enter(browser, 'BCDF')).statusCode, 400, 'what cannot be a code is no guess')
  const responses = await Promise.all(Array.from({ length: 30 }, () => enter(browser, 'BBBB-BBBB')))
  t.equal(responses.filter(({ statusCode }) => statusCode === 400).length, 10)
  const throttled = responses.filter(({ statusCode }) => statusCode === 429)
  t.equal(throttled.length, 20)
  t.match(throttled[0]!.headers['retry-after'], /^\d+$/)
  t.match(refusalOf(throttled[0]!), 'Too many wrong codes were entered.')
  t.equal((await enter(browser, userCode)).statusCode, 429, 'also for the right one')
  t.equal((await enter(new Browser(app, '198.51.100.1'), userCode)).statusCode, 200, 'elsewhere it goes on')
})

t.test('requests of devices are limited by source, and their clients must be registered for them', async t => {
  const { app, stores } = await prepare(t)
  t.match(await askForCodes(app, { client_id: 'app' }), { error: 'unauthorized_client' })
  t.match(await askForCodes(app, { client_id: 'x' }), { error: 'invalid_client' })
  t.match(await askForCodes(app, { resource: 'https://x.example' }), { error: 'invalid_target' })
  const ask = async (remoteAddress: string) => await app.inject({
    method: 'POST',
    url: '/device_authorization',
    payload: 'client_id=tv',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    remoteAddress
  })
  const all = await Promise.all(Array.from({ length: 40 }, () => ask('192.0.2.1')))
  t.equal(all.filter(({ statusCode }) => statusCode === 200).length, 30)
  const [refused] = all.filter(({ statusCode }) => statusCode === 429)
  t.match(refused?.headers['retry-after'], /^\d+$/)
  t.match(refused?.json(), { error: 'temporarily_unavailable' })
  stores.deviceCodes.add = async () => false
  t.equal((await ask('198.51.100.1')).statusCode, 401, 'a client that is removed at this moment')
})
