import t from 'tap'
import { loadConfig } from '../../../src/config.js'
import { createSignUpLinks } from '../../../src/sign-in/sign-up-link.js'
import { connectTo, onPostgresql } from '../../support/database.js'
import { codeClient, codeQuery } from '../../support/code-flow.js'
import { Browser, formTokenOf, query } from '../../support/helper.js'
import { ACCOUNT, beginSignUp } from '../../support/sign-up.js'

export const onBothDatabases = true

const ISSUER = 'https://id.example'
const TERMS = { TERMS_URL: 'https://example.com/terms', TERMS_VERSION: '2026-11' }

t.test('a link in another browser creates the account, but does not go on to the app', async t => {
  const { app, create, link } = await beginSignUp(t)
  const other = new Browser(app)
  const done = await create(await link('ivy@example.com', { search: `?${query()}` }), ACCOUNT, other)
  t.match(done, { statusCode: 303, headers: { location: '/account' } })
  t.match((await other.get('/account')).body, 'go back to where you started, and sign in')
})

t.test('without an authorization request, the account page follows', async t => {
  const { app, create, link } = await beginSignUp(t)
  const browser = new Browser(app)
  const done = await create(await link('ivy@example.com', { browser, search: '?client_id=' }), ACCOUNT, browser)
  t.match(done, { statusCode: 303, headers: { location: '/account' } })
  t.match((await browser.get('/account')).body, 'Welcome. Your account is ready.')
})

t.test('an invalid form says which field is wrong, keeps what was typed, and does not use up the link', async t => {
  const { stores, create, link } = await beginSignUp(t, TERMS)
  const path = await link('ivy@example.com')
  const account = { ...ACCOUNT, terms: TERMS.TERMS_VERSION }
  const rows: Array<[field: string, changes: Record<string, string>, sentence: RegExp]> = [
    ['username', { username: '' }, /user name is empty/],
    ['username', { username: 'a'.repeat(101) }, /longer than 100/],
    ['username', { username: 'ANN' }, /This user name is taken/],
    ['username', { username: 'Administrator' }, /reserved/],
    ['username', { username: 'ｒｏｏｔ' }, /reserved/],
    ['username', { username: 'ann@example.com' }, /another email address/],
    ['username', { username: 'ann\u200b' }, /invisible character/],
    ['username', { username: 'a\u00adnn' }, /invisible character/],
    ['username', { username: '\u0430dmin' }, /letters of one common script/],
    ['username', { username: 'pa\u03bdl' }, /letters of one common script/],
    ['username', { username: '\u13aannn' }, /letters of one common script/],
    ['new-password', { new_password: 'short' }, /too short/],
    ['new-password', { new_password: 'password1' }, /lists of common passwords/],
    ['new-password', { username: 'somebody-else', new_password: 'Somebody Else' }, /must not be the user name/],
    ['new-password', { new_password: 'ivy@example.com' }, /must not be/],
    ['name', { name: 'a'.repeat(201) }, /longer than 200/],
    ['terms', { terms: '' }, /accept the terms/],
    ['terms', { terms: '2025-01' }, /accept the terms/]
  ]
  for (const [field, changes, sentence] of rows) {
    const { statusCode, body } = await create(path, { ...account, ...changes })
    t.match(body, sentence)
    t.ok([403, 409].includes(statusCode))
    const invalid = /<input[^>]*aria-invalid="true"[^>]*>/.exec(body)?.[0] ?? ''
    t.match(invalid, field === 'terms' ? 'name="terms"' : `id="${field}"`)
    t.notMatch(body, 'battery staple')
  }
  t.equal((await stores.users.list()).length, 1)
  t.equal((await create(path, { ...account, name: ' Zoe\u0308 ' })).statusCode, 303)
  t.match(await stores.users.find('ivy'), { termsVersion: '2026-11', termsAcceptedAt: Date })
  t.match(await stores.profiles.findAny('ivy'), { name: 'Zo\u00eb' })
})

t.test('each attempt with a link tells whether a user name is taken: there are twenty', async t => {
  const { create, link } = await beginSignUp(t)
  const path = await link('ivy@example.com')
  for (let i = 0; i < 20; i++) t.equal((await create(path, { ...ACCOUNT, username: 'ann' })).statusCode, 409)
  t.match(await create(path), { statusCode: 429, headers: { 'retry-after': /^\d+$/ }, body: /Too many attempts/ })
})

t.test('of 20 forms of one link at once, one creates an account', async t => {
  const { app, stores, link } = await beginSignUp(t)
  const path = await link('ivy@example.com')
  const browsers = Array.from({ length: 20 }, () => new Browser(app))
  const tokens = await Promise.all(browsers.map(async browser => formTokenOf(await browser.get(path))))
  const answers = await Promise.all(browsers.map(async (browser, i) => await browser.post('/create-account', {
    transaction: tokens[i]!, link: path.split('link=')[1]!, ...ACCOUNT, username: `ivy-${i}`
  })))
  t.same(answers.map(({ statusCode }) => statusCode).filter(it => it !== 410), [303])
  t.equal((await stores.users.list()).length, 2)
})

t.test('a link ends with the first account of its address, after a day, and is nothing that someone else can make', async t => {
  const { app, create, link } = await beginSignUp(t)
  const first = await link('ivy@example.com')
  const links = createSignUpLinks(loadConfig({}))
  const issue = async (email: string, hours: number) =>
    `/create-account?link=${await links.issue({ email, browserHash: '' }, new Date(app.clock.now().getTime() - hours * 3_600_000))}`
  const another = await issue('IVY@example.com', 0)
  t.equal((await create(first)).statusCode, 303)
  const ended = await create(another, { ...ACCOUNT, username: 'other' })
  t.match(ended, { statusCode: 410, body: /This link has expired, or was used before/ })
  const late = await issue('new@example.com', 24)
  const own = await createSignUpLinks({ secretKey: 'another secret of 32 characters!' }).issue({ email: 'new@example.com', browserHash: '' }, new Date())
  for (const path of [late, `/create-account?link=${own}`, '/create-account?link=x', '/create-account']) {
    t.equal((await new Browser(app).get(path)).statusCode, 410, path.slice(0, 30))
  }
})

t.test('a form of another browser, or without a token, signs no one in', async t => {
  const { app, stores, link } = await beginSignUp(t)
  const path = await link('ivy@example.com')
  const [attacker, victim] = [new Browser(app), new Browser(app)]
  const transaction = formTokenOf(await attacker.get(path))
  await victim.get('/account')
  const form = { link: path.split('link=')[1]!, ...ACCOUNT }
  for (const token of [transaction, '', formTokenOf(await victim.get('/account'))]) {
    t.equal((await victim.post('/create-account', { ...form, transaction: token })).statusCode, 403)
  }
  t.equal(await stores.users.find('ivy'), null)
})

t.test('prompt=create leads to the form, with the request and the hint, and is in the metadata', async t => {
  const { app } = await beginSignUp(t)
  const browser = new Browser(app)
  const search = query({ response_type: 'id_token', scope: 'openid', nonce: 'n', prompt: 'create', login_hint: 'ivy@example.com' })
  const answer = await browser.get(`/authorize?${search}`)
  t.match(answer, { statusCode: 302, headers: { location: `${ISSUER}/sign-up?${search}` } })
  t.match((await browser.get(`/sign-up?${search}`)).body, 'value="ivy@example.com"')
  t.equal((await browser.get(`/consent?${search}`)).statusCode, 200, 'who has an account signs in')
  t.ok((await app.inject('/.well-known/openid-configuration')).json().prompt_values_supported.includes('create'))
  const both = await browser.get(`/authorize?${query({ response_type: 'id_token', scope: 'openid', nonce: 'n', prompt: 'create none' })}`)
  t.match(both.headers.location, 'error=invalid_request')
})

t.test('a pushed request leads to the form, but expires too soon for the link in the email', async t => {
  const { app, stores, create, link } = await beginSignUp(t)
  await stores.clients.put(codeClient())
  const browser = new Browser(app)
  const pushed = await browser.post('/par', codeQuery({ prompt: 'create' }))
  const search = `client_id=app&request_uri=${encodeURIComponent(pushed.json().request_uri)}`
  t.match(await browser.get(`/authorize?${search}`), { statusCode: 302, headers: { location: `${ISSUER}/sign-up?${search}` } })
  t.match((await browser.get(`/sign-up?${search}`)).body, `href="/consent?${search.replace('&', '&amp;')}"`, 'who has an account signs in')
  const done = await create(await link('ivy@example.com', { browser, search: `?${search}` }), ACCOUNT, browser)
  t.match(done, { statusCode: 303, headers: { location: '/account' } })
})

if (onPostgresql) {
  t.test('the response waits for nothing that depends on the address', async t => {
    const { databaseUrl, request } = await beginSignUp(t)
    const database = await connectTo(databaseUrl)
    await database.query('BEGIN')
    await database.query('LOCK TABLE user_account IN ACCESS EXCLUSIVE MODE')
    t.equal((await request('ivy@example.com')).statusCode, 200)
    await database.query('ROLLBACK')
    await database.close()
  })
}
