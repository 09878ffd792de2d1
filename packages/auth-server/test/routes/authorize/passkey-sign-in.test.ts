import { countStatements, stopTime } from '@frontdesk/test-kit/cost'
import { createPasskey } from '@frontdesk/test-kit/passkey'
import { decodeJwt } from 'jose'
import t from 'tap'
import { FORM_TOKEN_TTL } from '../../../src/lifetimes.js'
import { addUser } from '../../support/admin/admin.js'
import { codeClient, codeQuery, exchangeForm, post, queryOf } from '../../support/code-flow.js'
import { askForCodes, deviceClient, enter } from '../../support/device-flow.js'
import { addPasskey, handleOf, SITE } from '../../support/factors.js'
import { Browser, formTokenOf, withoutValues } from '../../support/helper.js'
import { preparePasskeySignIn, SEARCH, signedForm } from '../../support/passkey-sign-in.js'

export const onBothDatabases = true

const isSignedIn = ({ body }: { body: string }) => body.includes('value="everywhere"')

t.test('a passkey signs in without user name, password and second step; tokens and the audit trail say so', async t => {
  const { app, stores, ann, open, enterPasskey } = await preparePasskeySignIn(t)
  await stores.clients.put(codeClient({ requiredAcr: 'phr' }))
  await stores.roles.add('clerk', ['x'], 'phr')
  await stores.roles.assign((await ann()).id, ['clerk'])
  const browser = open()
  const done = await enterPasskey(browser)
  t.equal(done.statusCode, 303)
  const { id_token: idToken, access_token: accessToken } = (await post(app, '/token', exchangeForm(queryOf(done).code!))).json()
  for (const token of [idToken, accessToken]) t.match(decodeJwt(token), { acr: 'phr', amr: ['pop', 'user', 'mfa'], auth_time: Number })
  t.ok(isSignedIn(await browser.get('/account')))
  t.match((await stores.factors.find((await ann()).id)).passkeys, [{ lastUsedAt: Date }])
  await app.auditTrail.flush()
  t.match(await stores.audit.list({ event: 'sign-in' }, 10), [{ outcome: 'signed in', clientId: 'app', details: { factor: 'passkey' } }])
})

t.test('pages with a user name and a password accept a passkey: the account page, the device page, the console', async t => {
  const { app, stores, ann, open, passkey } = await preparePasskeySignIn(t, { ADMIN: 'true' })
  const account = open()
  const page = await account.get('/account')
  t.match(page.body, 'autocomplete="username webauthn"')
  t.match(page.body, 'Sign in with a passkey')
  t.match(page.headers['content-security-policy'], /script-src 'sha256-/)
  const shown = await account.post('/account', { ...signedForm(page, passkey), decision: 'sign-in' })
  t.ok(isSignedIn(shown))
  t.notMatch((await account.get(`/consent?${SEARCH}`)).body, 'data-passkey', 'a user who is signed in only decides')

  await stores.clients.put(deviceClient())
  const codes = await askForCodes(app)
  const device = open()
  const consent = await enter(device, codes.user_code)
  t.match(consent.body, 'Sign in and allow with a passkey')
  const allowed = await device.post('/device', { ...signedForm(consent, passkey), user_code: codes.user_code, decision: 'allow' })
  t.equal(allowed.statusCode, 303)

  await stores.roles.assign((await ann()).id, ['administrator'])
  const browser = open()
  const follow = async (url: string) => {
    let [path, next] = [url, await browser.get(url)]
    while (next.headers.location !== undefined) {
      const { pathname, search } = new URL(next.headers.location, SITE.origin)
      path = pathname + search
      next = await browser.get(path)
    }
    return { path, next }
  }
  const signIn = await follow('/admin')
  t.match(signIn.next.body, 'Sign in to administration')
  const back = await browser.post(signIn.path, { ...signedForm(signIn.next, passkey), decision: 'allow' })
  t.match((await follow(String(back.headers.location).slice(SITE.origin.length))).next, { statusCode: 200, body: 'Sign out' })
})

t.test('unknown passkeys, those of disabled users and wrong responses look and cost the same', async t => {
  stopTime(t)
  const built = await preparePasskeySignIn(t)
  const { app, stores, ann, open, enterPasskey, answer } = built
  const bob = await addUser(built, 'bob', [])
  const disabled = await addPasskey(stores, (await stores.users.find('bob'))!)
  await stores.users.setDisabled('bob', new Date())
  const refused: Record<string, Parameters<typeof enterPasskey>[1]> = {
    unknown: { by: createPasskey(SITE), user: handleOf((await ann()).id) },
    'of a disabled user': { by: disabled },
    'another user\'s handle': { user: handleOf(bob) },
    'no handle': { user: null },
    'another page': { challenge: 'x' },
    'another origin': { origin: 'https://evil.example' },
    'no user verification': { isVerified: false },
    'in a frame': { clientData: { crossOrigin: true } }
  }
  const [bodies, counts] = [new Set<string>(), new Set<number>()]
  for (const [index, [name, changes]] of Object.entries(refused).entries()) {
    const browser = open(`192.0.2.${index}`)
    const page = await browser.get(`/consent?${SEARCH}`)
    counts.add(await countStatements(async () => {
      const response = await answer(browser, page, changes)
      t.equal(response.statusCode, 403, name)
      bodies.add(withoutValues(response))
    }))
    t.notOk(isSignedIn(await browser.get('/account')), name)
  }
  t.match([...bodies], [/role="alert"[^]*You can&#39;t sign in with that passkey. Use another one, or your password\./])
  t.equal(bodies.size, 1)
  t.notMatch([...bodies][0], 'data-autofill', 'a browser that answers by itself does not try again')
  t.equal(counts.size, 1, [...counts].join(', '))
  for (const passkey of ['{', 'x', '{"id":"\\u0000"}', '{"id":"a","rawId":"a"}']) {
    const browser = open('192.0.2.100')
    const transaction = await browser.consent(SEARCH)
    t.equal((await browser.post(`/consent?${SEARCH}`, { transaction, decision: 'allow', passkey })).statusCode, 403, passkey)
  }
  const long = open('192.0.2.101')
  const form = { transaction: await long.consent(SEARCH), decision: 'allow', passkey: `{"id":"${'a'.repeat(100_000)}"}` }
  t.equal((await long.post(`/consent?${SEARCH}`, form)).statusCode, 413)
  await app.auditTrail.flush()
  const trail = await stores.audit.list({ event: 'sign-in' }, 100)
  t.match(trail.find(({ userId }) => userId === bob), { outcome: 'wrong', details: { factor: 'passkey' } })
  t.equal((await enterPasskey(open())).statusCode, 303)
})

t.test('a response works once, on its page, while the passkey exists', async t => {
  const { stores, ann, passkey, open, answer } = await preparePasskeySignIn(t)
  const browser = open()
  const [one, other] = [await browser.get(`/consent?${SEARCH}`), await browser.get(`/consent?${SEARCH}`)]
  const form = { ...signedForm(one, passkey), decision: 'allow' }
  t.equal((await browser.post(`/consent?${SEARCH}`, { ...form, transaction: formTokenOf(other) })).statusCode, 403, 'in another tab')
  t.equal((await browser.post(`/consent?${SEARCH}`, form)).statusCode, 303)
  t.equal((await browser.post(`/consent?${SEARCH}`, form)).statusCode, 403, 'again')
  t.equal((await answer(browser, other)).statusCode, 303, 'the other tab')
  const next = open()
  const page = await next.get(`/consent?${SEARCH}`)
  await stores.factors.removePasskey(await ann(), passkey.id)
  t.equal((await answer(next, page)).statusCode, 403, 'removed')
})

t.test('a page that was open for too long, a lost form token and a lost cookie are told as for passwords', async t => {
  const { app, passkey, open, answer } = await preparePasskeySignIn(t)
  const { now } = app.clock
  t.teardown(() => Object.assign(app.clock, { now }))
  const browser = open()
  const page = await browser.get(`/consent?${SEARCH}`)
  Object.assign(app.clock, { now: () => new Date(now().getTime() + (FORM_TOKEN_TTL + 2) * 1_000) })
  t.match(await answer(browser, page), { statusCode: 410, body: 'Start again' })
  Object.assign(app.clock, { now })
  const { transaction: _, ...lost } = signedForm(page, passkey)
  t.match(await browser.post(`/consent?${SEARCH}`, { ...lost, decision: 'allow' }), { statusCode: 403, body: 'Start again' })
  t.match(await answer(open(), page), { statusCode: 403, body: 'Start again' })
  t.equal((await answer(browser, page)).statusCode, 303)
})

t.test('failures are limited by source, and by account as those of passwords are', async t => {
  const { open, enterPasskey } = await preparePasskeySignIn(t)
  const browser = open('192.0.2.1')
  const wrong = async () => (await enterPasskey(browser, { isVerified: false })).statusCode
  t.same([await wrong(), await wrong(), await wrong(), await wrong(), await wrong()], [403, 403, 403, 403, 403])
  t.match(await enterPasskey(browser), { statusCode: 429, headers: { 'retry-after': /^\d+$/ }, body: 'Too many attempts.' })
  t.equal((await browser.allow(SEARCH)).statusCode, 429, 'passwords, too')
  t.equal((await enterPasskey(open('192.0.2.2'))).statusCode, 303)
  const scan = open('192.0.2.3')
  const statuses: number[] = []
  for (let count = 0; count < 31; count++) statuses.push((await enterPasskey(scan, { by: createPasskey(SITE) })).statusCode)
  t.same(statuses, [...Array<number>(30).fill(403), 429], 'unknown passkeys')
  const [same, unknown] = [open('192.0.2.4'), createPasskey(SITE)]
  for (let count = 0; count < 5; count++) await enterPasskey(same, { by: unknown })
  t.equal((await enterPasskey(same, { by: unknown })).statusCode, 429, 'an unknown one is limited as a known one is')
})

t.test('a passkey is a new sign-in where the request wants one, and must be of the user whom it wants', async t => {
  const { app, stores, ann, passkey, open, enterPasskey } = await preparePasskeySignIn(t)
  const browser = open()
  t.equal((await enterPasskey(browser)).statusCode, 303)
  for (const changes of [{ prompt: 'login' }, { max_age: '0' }]) {
    const search = codeQuery({ scope: 'openid', ...changes })
    const page = await browser.get(`/consent?${search}`)
    t.match(page.body, 'data-passkey', JSON.stringify(changes))
    const done = await browser.post(`/consent?${search}`, { ...signedForm(page, passkey), decision: 'allow' })
    t.equal(done.statusCode, 303)
    t.match(decodeJwt((await post(app, '/token', exchangeForm(queryOf(done).code!))).json().id_token), { acr: 'phr' })
  }
  const other = codeQuery({ scope: 'openid', claims: JSON.stringify({ id_token: { sub: { essential: true, value: 'someone else' } } }) })
  const page = await browser.get(`/consent?${other}`)
  const refused = await browser.post(`/consent?${other}`, { ...signedForm(page, passkey), decision: 'allow' })
  t.match(queryOf(refused), { error: 'login_required' })
  await stores.users.endAccess((await ann()).id)
  t.notOk(isSignedIn(await browser.get('/account')), 'sessions end as others do')
})

t.test('without a script the page is as before, and a form with a passkey needs no other field', async t => {
  const { app, open } = await preparePasskeySignIn(t)
  const browser = open()
  const { body } = await browser.get(`/consent?${SEARCH}`)
  for (const hidden of body.matchAll(/<[^>]+data-(?:passkey|ready|failed)[^>]*>/g)) t.match(hidden[0], / hidden>/)
  t.match(await new Browser(app).post('/account', { passkey: '{}', decision: 'sign-in' }), { statusCode: 403 }, 'but a form token')
})
