import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/config.js'
import { createPushedRequests, REFERENCE_PREFIX } from '../../../src/consent/pushed-request.js'
import { codeClient, codeQuery, exchangeForm, post, queryOf } from '../../support/code-flow.js'
// What it adds to Fastify's types.
import type {} from '../../../src/plugins/clock.js'
import { hashPassword } from '../../../src/sign-in/password.js'
import { registered } from '../../support/oauth/client.js'
import { Browser, build, CALLBACK, client, fragmentOf, query, type Built } from '../../support/helper.js'

export const onBothDatabases = true

/** The app, with a client of the code grant. */
async function prepare (t: Test, changes: Parameters<typeof codeClient>[0] = {}): Promise<Built> {
  const built = await build(t)
  await built.stores.clients.put(codeClient(changes))
  return built
}

/** Pushes a request; gives the query for `/authorize`. */
async function push ({ app }: Pick<Built, 'app'>, request = codeQuery()): Promise<string> {
  const { request_uri: reference } = (await post(app, '/par', request)).json<{ request_uri: string }>()
  return new URLSearchParams({ client_id: 'app', request_uri: reference }).toString()
}

t.test('a pushed request leads to a code, and only its own parameters count', async t => {
  const { app } = await prepare(t)
  const pushed = await post(app, '/par', codeQuery({ state: 'pushed' }))
  t.match(pushed, { statusCode: 201, headers: { 'cache-control': 'no-store' } })
  const { request_uri: reference, expires_in: seconds } = pushed.json<{ request_uri: string, expires_in: number }>()
  t.ok(reference.startsWith(REFERENCE_PREFIX))
  t.equal(seconds, 300)
  const search = `client_id=app&request_uri=${encodeURIComponent(reference)}&state=forged&redirect_uri=https%3A%2F%2Fevil.example&scope=all`
  const browser = new Browser(app)
  const redirect = await browser.get(`/authorize?${search}`)
  t.match(redirect, { statusCode: 302, headers: { location: `https://id.example/consent?${search}` } })
  const answer = await browser.allow(search)
  t.ok(String(answer.headers.location).startsWith(`${CALLBACK}?`))
  t.equal(queryOf(answer).state, 'pushed')
  const tokens = await post(app, '/token', exchangeForm(queryOf(answer).code!))
  t.match(tokens.json(), { token_type: 'Bearer', scope: 'customer:read' })
})

t.test('every response type can be pushed, by a form at /authorize too', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(client({ implicit: 'allowed' }))
  const search = await push({ app }, query())
  const redirect = await post(app, '/authorize', search)
  t.match(redirect, { statusCode: 303, headers: { location: `https://id.example/consent?${search}` } })
  t.match(fragmentOf(await new Browser(app).allow(search)), { token_type: 'Bearer', state: 's' })
})

t.test('what is wrong with a request is told to the client that pushes it', async t => {
  const { app } = await prepare(t)
  const rows: Array<[form: string, status: number, error: string, description: RegExp]> = [
    [codeQuery({ redirect_uri: 'https://evil.example' }), 400, 'invalid_request', /not registered/],
    [codeQuery({ redirect_uri: undefined, scope: 'openid' }), 400, 'invalid_request', /^The parameter redirect_uri is missing\.$/],
    [codeQuery({ redirect_uri: '', scope: 'openid' }), 400, 'invalid_request', /^The parameter redirect_uri is missing\.$/],
    [codeQuery({ scope: 'openid', prompt: 'create' }), 400, 'invalid_request', /^The parameter prompt has an invalid value\.$/],
    [codeQuery({ response_type: undefined }), 400, 'invalid_request', /parameter response_type is missing/],
    [codeQuery({ response_type: 'token' }), 400, 'unauthorized_client', /response type/],
    [codeQuery({ code_challenge: undefined }), 400, 'invalid_request', /code_challenge/],
    [codeQuery({ resource: 'https://other.example' }), 400, 'invalid_target', /resource/],
    [codeQuery({ request_uri: `${REFERENCE_PREFIX}x` }), 400, 'invalid_request', /parameter request_uri/],
    [codeQuery({ request: 'x' }), 400, 'request_not_supported', /request objects/],
    [`${codeQuery()}&state=twice`, 400, 'invalid_request', /parameter state is repeated/],
    [codeQuery({ client_id: 'unknown' }), 401, 'invalid_client', /authentication failed/],
    [codeQuery({ client_secret: 'x' }), 401, 'invalid_client', /authentication failed/]
  ]
  for (const [form, status, error, description] of rows) {
    const answer = await post(app, '/par', form)
    t.equal(answer.statusCode, status, form.slice(0, 200))
    t.equal(answer.json<{ error: string }>().error, error)
    t.match(answer.json<{ error_description: string }>().error_description, description)
  }
})

t.test('a reference of another client, another server or one that was changed shows a page, and never leads to a callback', async t => {
  const { app, stores } = await prepare(t)
  await stores.clients.put(codeClient({ id: 'other' }))
  const search = await push({ app })
  const elsewhere = createPushedRequests({ secretKey: 'the secret of another server' }, stores)
  const foreign = await elsewhere.seal(registered({ id: 'app' }), codeQuery(), new Date())
  const unknown = [
    search.replace('client_id=app', 'client_id=other'),
    `${search.slice(0, -8)}AAAAAAAA`,
    `client_id=app&request_uri=${REFERENCE_PREFIX}`,
    `client_id=app&request_uri=${REFERENCE_PREFIX}x`,
    `client_id=app&request_uri=${foreign}`
  ]
  for (const search of unknown) {
    for (const path of ['/authorize', '/consent']) {
      const answer = await new Browser(app).get(`${path}?${search}`)
      t.equal(answer.statusCode, 400)
      t.match(answer.body, 'This sign-in has expired, or its address is damaged.')
      t.match(answer.body, 'Go back to the app and start again there.')
      t.notMatch(answer.body, 'Start again</a>')
    }
  }
  const other = await new Browser(app).get('/authorize?client_id=app&redirect_uri=https://app.example/cb&response_type=code&request_uri=https://app.example/r')
  t.match(other.headers.location, /error=request_uri_not_supported/)
})

t.test('it can be opened for five minutes, and its page can be used for half an hour', async t => {
  const { app, stores } = await prepare(t)
  const pushedRequests = createPushedRequests(loadConfig({}), stores)
  const pushed = async (secondsAgo: number) => {
    const at = new Date(app.clock.now().getTime() - secondsAgo * 1_000)
    return `client_id=app&request_uri=${await pushedRequests.seal(registered({ id: 'app' }), codeQuery(), at)}`
  }
  for (const path of ['/authorize', '/consent']) t.equal((await new Browser(app).get(`${path}?${await pushed(301)}`)).statusCode, 400)
  t.equal((await new Browser(app).get(`/authorize?${await pushed(270)}`)).statusCode, 302)
  const search = await pushed(270)
  const browser = new Browser(app)
  const transaction = await browser.consent(search)
  const { clock } = app
  const after = async (seconds: number) => {
    t.intercept(app, 'clock', { value: { ...clock, now: () => new Date(clock.now().getTime() + seconds * 1_000) } })
    return await browser.post(`/consent?${search}`, { transaction, decision: 'allow', username: 'ann', password: 'correct horse' })
  }
  t.equal((await after(1_531)).statusCode, 400)
  t.equal((await after(1_500)).statusCode, 303)
})

t.test('100 pages of one pushed request that are allowed at once: one leads to a code, and none after the clean-up', async t => {
  const { app, stores } = await prepare(t)
  const search = await push({ app })
  const browsers = await Promise.all(Array.from({ length: 100 }, async () => {
    const browser = new Browser(app)
    return { browser, transaction: await browser.consent(search) }
  }))
  const allow = async ({ browser, transaction }: typeof browsers[number]) =>
    await browser.post(`/consent?${search}`, { transaction, decision: 'allow', username: 'ann', password: 'correct horse' })
  const answers = []
  // At most 64 sign-ins of one source are in the queue.
  for (const part of [browsers.slice(0, 50), browsers.slice(50)]) answers.push(...await Promise.all(part.map(allow)))
  t.equal(answers.filter(({ statusCode }) => statusCode === 303).length, 1)
  for (const answer of answers.filter(({ statusCode }) => statusCode !== 303)) t.match(answer.body, 'This page has already been used.')
  const now = app.clock.now()
  for (const table of ['grant', 'spent id'] as const) await stores.removeExpired(table, now)
  t.equal((await allow(browsers[7]!)).statusCode, 400)
  await stores.users.remove('ann')
  await stores.users.add({ id: 'another', username: 'ann', passwordHash: await hashPassword('correct horse'), demo: false })
  t.equal((await allow(browsers[8]!)).statusCode, 400, 'another person cannot use it either')
})

t.test('100 pages of one pushed request that need no answer of the person: one leads to a code', async t => {
  const { app } = await prepare(t)
  const browser = new Browser(app)
  await browser.allow(codeQuery({ prompt: 'consent' }))
  const search = await push({ app })
  const answers = await Promise.all(Array.from({ length: 100 }, () => browser.get(`/consent?${search}`)))
  t.equal(answers.filter(({ statusCode }) => statusCode === 303).length, 1)
  t.same(new Set(answers.map(({ statusCode }) => statusCode)), new Set([303, 400]))
  for (let i = 0; i < 101; i++) await browser.get(`/consent?${codeQuery()}`)
  t.equal((await browser.get(`/consent?${search}`)).statusCode, 400, 'also when its grant is one of too many silent ones')
})

t.test('Deny spends a pushed request', async t => {
  const { app } = await prepare(t)
  const search = await push({ app })
  const browser = new Browser(app)
  const transaction = await browser.consent(search)
  const decide = async (decision: string) =>
    await browser.post(`/consent?${search}`, { transaction, decision, username: 'ann', password: 'correct horse' })
  t.equal(queryOf(await decide('deny')).error, 'access_denied')
  t.equal((await decide('allow')).statusCode, 400)
})

t.test('an app that must push its requests can sign in in no other way', async t => {
  const { app } = await prepare(t, { requirePushedAuthorizationRequests: true })
  const plain = await new Browser(app).get(`/authorize?${codeQuery()}`)
  t.match(queryOf(plain), { error: 'invalid_request', error_description: 'The client must push its authorization requests (RFC 9126).', state: 's' })
  t.equal((await new Browser(app).get(`/consent?${codeQuery()}`)).statusCode, 302)
  t.ok(queryOf(await new Browser(app).allow(await push({ app }))).code)
})
