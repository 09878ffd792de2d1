import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { connectTo } from '../../support/database.js'
import { build, CALLBACK, client, fragmentOf, query, withoutValues } from '../../support/helper.js'

export const onBothDatabases = true

t.test('a valid request goes to the consent page with the very same query string (RFC 6749 §4.2.1)', async t => {
  const { app } = await build(t)
  for (const search of [query(), query({ state: 'a b&c=d', scope: 'x y' }), `${query()}&state2=%41+%2b%C3%A9&=&x`, `unknown=1&unknown=2&${query()}`]) {
    const response = await app.inject(`/authorize?${search}`)
    t.equal(response.statusCode, 302)
    t.equal(response.headers.location, `https://id.example/consent?${search}`, 'byte for byte')
    t.equal(response.headers['cache-control'], 'no-store')
  }
})

t.test('while client or callback cannot be trusted, the answer is a 400 page without Location', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(client({ id: 'two', callbacks: [CALLBACK, 'https://app.example/other'] }))
  await stores.clients.put(client({ id: 'off' }))
  await stores.clients.setDisabled('off', new Date())
  const rows: Array<[name: string, search: string]> = [
    ['broken percent-escape in a value', `${query()}&x=%`],
    ['broken percent-escape in a name', `${query()}&%zz=1`],
    ['invalid UTF-8', `${query()}&x=%ff`],
    ['client_id missing', query({ client_id: undefined })],
    ['client_id empty', query({ client_id: '' })],
    ['client_id repeated', `${query()}&client_id=app`],
    ['client_id unknown', query({ client_id: 'nobody' })],
    ['client_id in another case', query({ client_id: 'App' })],
    ['client_id disabled', query({ client_id: 'off' })],
    ['client_id __proto__', query({ client_id: '__proto__' })],
    ['client_id with NUL', query({ client_id: 'app\0' })],
    ['redirect_uri repeated', `${query()}&redirect_uri=${encodeURIComponent(CALLBACK)}`],
    ['redirect_uri absent with two registered', query({ client_id: 'two', redirect_uri: undefined })],
    ['redirect_uri empty with two registered', query({ client_id: 'two', redirect_uri: '' })],
    ['nothing at all', '']
  ]
  for (const [name, search] of rows) {
    const response = await app.inject(`/authorize?${search}`)
    t.equal(response.statusCode, 400, name)
    t.equal(response.headers.location, undefined, name)
    t.match(response.headers['content-type'], /^text\/html/, name)
    t.match(response.body, /Reference: /, name)
  }
})

t.test('unknown and disabled clients get the same text', async t => {
  const { app, stores } = await build(t)
  await stores.clients.setDisabled('app', new Date())
  const [unknown, disabled] = await Promise.all(['nobody', 'app'].map(id => app.inject({ url: `/authorize?${query({ client_id: id })}`, headers: { 'x-request-id': 'same' } })))
  t.equal(withoutValues(unknown!), withoutValues(disabled!))
})

t.test('once client and callback are trusted, errors go to the callback in the fragment (RFC 6749 §4.2.2.1)', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(client({ id: 'no-implicit', implicit: 'off' }))
  const rows: Array<[name: string, search: string, error: string, state?: string | null]> = [
    ['response_type missing', query({ response_type: undefined }), 'invalid_request'],
    ['response_type empty', query({ response_type: '' }), 'invalid_request'],
    ['response_type repeated', `${query()}&response_type=token`, 'invalid_request'],
    ['response_type in capitals', query({ response_type: 'TOKEN' }), 'unsupported_response_type'],
    ['response_type code token', query({ response_type: 'code token' }), 'unsupported_response_type'],
    ['the client is not allowed to use it', query({ client_id: 'no-implicit' }), 'unauthorized_client'],
    ['scope repeated', `${query()}&scope=a&scope=b`, 'invalid_request'],
    ['state repeated is not echoed', `${query()}&state=t`, 'invalid_request', null],
    ['nonce repeated', `${query({ nonce: 'a' })}&nonce=b`, 'invalid_request'],
    ['claims repeated', `${query({ claims: '{}' })}&claims=%7B%7D`, 'invalid_request'],
    ['code_challenge repeated', `${query({ code_challenge: 'a' })}&code_challenge=b`, 'invalid_request'],
    ['code_challenge_method repeated', `${query({ code_challenge_method: 'S256' })}&code_challenge_method=S256`, 'invalid_request'],
    ['dpop_jkt repeated', `${query({ dpop_jkt: 'a' })}&dpop_jkt=b`, 'invalid_request'],
    ['id_token_hint repeated', `${query({ id_token_hint: 'a' })}&id_token_hint=b`, 'invalid_request'],
    ['acr_values repeated', `${query({ acr_values: 'a' })}&acr_values=b`, 'invalid_request'],
    ['request repeated', `${query({ request: 'a' })}&request=b`, 'invalid_request'],
    ['response_mode repeated', `${query()}&response_mode=fragment&response_mode=fragment`, 'invalid_request'],
    ['response_mode query: never a token in a query string', query({ response_mode: 'query' }), 'invalid_request'],
    ['response_mode form_post', query({ response_mode: 'form_post' }), 'invalid_request'],
    ['request', query({ request: 'eyJ' }), 'request_not_supported'],
    ['request_uri', query({ request_uri: 'https://x.example/r' }), 'request_uri_not_supported'],
    ['resource that the client may not ask for', query({ resource: 'https://other.example' }), 'invalid_target'],
    ['state absent', query({ state: undefined, response_type: 'x' }), 'unsupported_response_type', null],
    ['state empty', query({ state: '', response_type: 'x' }), 'unsupported_response_type', null],
    ['state comes back as received', query({ state: 'a b+c&d=é"<\r\n%', response_type: 'x' }), 'unsupported_response_type', 'a b+c&d=é"<\r\n%']
  ]
  for (const [name, search, error, state = 's'] of rows) {
    const response = await app.inject(`/authorize?${search}`)
    t.equal(response.statusCode, 302, name)
    const location = String(response.headers.location)
    t.ok(location.startsWith(`${CALLBACK}#`), name)
    t.match(fragmentOf(response), { error, iss: 'https://id.example' }, name)
    t.equal(fragmentOf(response).state ?? null, state, name)
    t.notMatch(fragmentOf(response).error_description, /[?%&#+"\\]/, name)
    t.notMatch(location.split('#')[1], /\+/, 'spaces are %20')
    t.notMatch(location, /[\r\n]/, name)
  }
})

t.test('error_description says which parameter, and never its value', async t => {
  const { app } = await build(t)
  const rows: Array<[search: string, description: string]> = [
    [query({ response_type: undefined }), 'The parameter response_type is missing.'],
    [`${query()}&scope=a&scope=b`, 'The parameter scope is repeated.'],
    [query({ response_mode: 'query' }), 'The parameter response_mode has an invalid value.'],
    [query({ max_age: 'soon' }), 'The parameter max_age has an invalid value.'],
    [query({ prompt: 'none login' }), 'The parameter prompt has an invalid value.']
  ]
  for (const [search, description] of rows) t.match(fragmentOf(await app.inject(`/authorize?${search}`)), { error: 'invalid_request', error_description: description })
})

t.test('any scope string is accepted', async t => {
  const { app } = await build(t)
  for (const scope of ['', 'a', 'é "quoted" \\', '  ', 'x'.repeat(3000), '__proto__', '"; DROP TABLE client; --']) {
    const response = await app.inject(`/authorize?${query({ scope })}`)
    t.equal(response.headers.location, `https://id.example/consent?${query({ scope })}`, scope.slice(0, 20))
  }
})

t.test('other methods get 405 with Allow', async t => {
  const { app } = await build(t)
  for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
    const response = await app.inject({ method, url: `/authorize?${query()}` })
    t.equal(response.statusCode, 405, method)
    t.equal(response.headers.allow, 'GET, HEAD, POST', method)
  }
  t.equal((await app.inject('/nowhere')).statusCode, 404)
  const asset = await app.inject({ method: 'POST', url: '/assets/style.css' })
  t.equal(asset.statusCode, 405)
  t.equal(asset.headers.allow, 'GET, HEAD')
})

t.test('an address of more than 8000 characters gets 414', async t => {
  const { app } = await build(t)
  const response = await app.inject(`/authorize?${query({ state: 'x'.repeat(8000) })}`)
  t.equal(response.statusCode, 414)
  t.equal(response.headers.location, undefined)
})

t.test('so does a form of more than 8000 characters, which would become such an address', async t => {
  const { app } = await build(t)
  const post = async (payload: string) => await app.inject({ method: 'POST', url: '/authorize', headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload })
  const fill = (length: number) => `${query()}&x=`.padEnd(length, 'x')
  t.equal((await post(fill(8_000))).statusCode, 303)
  for (const form of [fill(8_001), `${query()}&x=${'#'.repeat(3_000)}`]) {
    const response = await post(form)
    t.equal(response.statusCode, 414)
    t.equal(response.headers.location, undefined)
  }
})

t.test('errors are problem+json for who asks for JSON (RFC 9457)', async t => {
  const { app } = await build(t)
  const response = await app.inject({ url: '/authorize?client_id=x', headers: { accept: 'application/json', 'x-request-id': 'r1' } })
  t.equal(response.headers['content-type'], 'application/problem+json; charset=utf-8')
  t.match(response.json(), { status: 400, error: 'invalid_client', requestId: 'r1', title: String })
  const mismatch = await app.inject({ url: `/authorize?${query({ redirect_uri: 'https://app.example/cb/' })}`, headers: { accept: 'application/json' } })
  t.match(mismatch.json(), { requested: 'https://app.example/cb/', difference: 'trailing slash' })
})

t.test('below an issuer with a path everything lives below the path', async t => {
  const { app } = await build(t, { ISSUER: 'https://id.example/tenant/a' })
  const response = await app.inject(`/tenant/a/authorize?${query()}`)
  t.equal(response.headers.location, `https://id.example/tenant/a/consent?${query()}`)
  t.equal((await app.inject(`/authorize?${query()}`)).statusCode, 404)
  for (const url of ['/tenant/a', '/tenant/a/']) t.match(await app.inject(url), { statusCode: 302, headers: { location: '/tenant/a/account' } }, 'who opens the address of the server comes to their account')
  t.match((await app.inject(`/tenant/a/consent?${query()}`)).body, `action="/tenant/a/consent?${query().replaceAll('&', '&amp;')}"`)
})

t.test('a client that one replica disables is refused by the others within seconds', async t => {
  const { app, databaseUrl } = await build(t)
  const other = await build(t, { DATABASE_URL: databaseUrl })
  t.equal((await app.inject(`/authorize?${query()}`)).statusCode, 302)
  const deadline = Date.now() + 5_000
  const becomes = async (status: number) => {
    while ((await app.inject(`/authorize?${query()}`)).statusCode !== status && Date.now() < deadline) await setTimeout(100)
    return (await app.inject(`/authorize?${query()}`)).statusCode
  }
  await other.stores.clients.setDisabled('app', new Date())
  t.equal((await other.app.inject(`/authorize?${query()}`)).statusCode, 400, 'by itself at once')
  t.equal(await becomes(400), 400)
  await other.stores.clients.setDisabled('app', null)
  t.equal(await becomes(302), 302)
})

t.test('a failure of the server is a 500 page and an error in the log, with its cause; what callers do wrong is not', async t => {
  const { app, databaseUrl, logs } = await build(t)
  const levels = () => logs.splice(0).map(line => JSON.parse(line)).filter(({ msg }) => msg === 'request failed').map(({ level, err }) => [level, err.message])
  t.equal((await app.inject({ method: 'POST', url: '/authorize', payload: '{}', headers: { 'content-type': 'application/json' } })).statusCode, 415)
  t.match(levels(), [[30]])
  const operator = await connectTo(databaseUrl)
  await operator.query('ALTER TABLE client RENAME COLUMN name TO gone')
  await operator.close()
  const failed = await app.inject(`/authorize?${query({ client_id: 'other' })}`)
  t.match([failed.statusCode, failed.headers['content-type'], failed.headers.location], [500, /^text\/html/, undefined])
  t.match(levels(), [[50, /name/]])
})
