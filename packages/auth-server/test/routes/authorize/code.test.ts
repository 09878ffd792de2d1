import t from 'tap'
import { Browser, build, CALLBACK, client, fragmentOf, query } from '../../support/helper.js'
import { CHALLENGE, codeClient, codeQuery, queryOf } from '../../support/code-flow.js'

export const onBothDatabases = true

t.test('Allow answers 303 to the callback with a code in the query (RFC 6749 §4.1.2)', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient())
  const response = await new Browser(app).allow(codeQuery({ state: 'a b' }))
  t.equal(response.statusCode, 303)
  t.ok(response.headers.location?.startsWith(`${CALLBACK}?code=`))
  t.match(queryOf(response), { code: /^[\w-]{43}$/, state: 'a b', iss: 'https://id.example' })
  t.notOk('access_token' in queryOf(response))
  t.equal(response.headers['referrer-policy'], 'no-referrer')
  t.equal(response.headers['cache-control'], 'no-store')
})

t.test('response_mode says how the answer travels; the callback keeps its bytes', async t => {
  const { app, stores } = await build(t)
  const withQuery = 'https://app.example/cb?tenant=1'
  await stores.clients.put(codeClient({ callbacks: [CALLBACK, withQuery] }))
  const allow = async (changes: Record<string, string>) => await new Browser(app).allow(codeQuery(changes))
  t.match(
    (await allow({ redirect_uri: withQuery, response_mode: 'query' })).headers.location,
    /^https:\/\/app\.example\/cb\?tenant=1&code=/
  )
  const fragment = await allow({ response_mode: 'fragment' })
  t.match(fragmentOf(fragment), { code: /./, state: 's', iss: 'https://id.example' })
  t.ok(fragment.headers.location?.startsWith(`${CALLBACK}#code=`))
})

t.test('response_mode form_post is a page that posts the answer by itself, or by a button without JavaScript', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient())
  const search = codeQuery({ response_mode: 'form_post', state: '"><script>' })
  const { statusCode, headers, body } = await new Browser(app).allow(search)
  t.equal(statusCode, 200)
  t.match(body, `<form method="post" action="${CALLBACK}">`)
  t.match(body, /name="code" value="[\w-]{43}"/)
  t.match(body, 'name="state" value="&quot;&gt;&lt;script&gt;"')
  t.match(body, 'name="iss" value="https://id.example"')
  t.match(body, '<button class="primary">Continue</button>')
  const [, script = ''] = /<script>(.*)<\/script>/.exec(body) ?? []
  const hash = Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(script))).toString('base64')
  t.match(headers['content-security-policy'], `script-src 'sha256-${hash}';`)
  t.notMatch(headers['content-security-policy'], 'form-action')
  t.equal(headers['cache-control'], 'no-store')
  const refused = await app.inject(`/authorize?${codeQuery({ response_mode: 'form_post', code_challenge: undefined })}`)
  t.equal(refused.statusCode, 200)
  t.match(refused.body, 'name="error" value="invalid_request"')
})

t.test('errors of a request for a code go where its response mode says, by default to the query (RFC 6749 §4.1.2.1)', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient())
  await stores.clients.put(client({ id: 'implicit-only' }))
  const rows: Array<[name: string, search: string, error: string]> = [
    ['code_challenge missing', codeQuery({ code_challenge: undefined }), 'invalid_request'],
    ['code_challenge empty', codeQuery({ code_challenge: '' }), 'invalid_request'],
    ['code_challenge repeated', `${codeQuery()}&code_challenge=${CHALLENGE}`, 'invalid_request'],
    ['code_challenge too short', codeQuery({ code_challenge: 'x'.repeat(42) }), 'invalid_request'],
    ['code_challenge too long', codeQuery({ code_challenge: 'x'.repeat(44) }), 'invalid_request'],
    ['code_challenge padded', codeQuery({ code_challenge: `${CHALLENGE}=` }), 'invalid_request'],
    ['plain', codeQuery({ code_challenge_method: 'plain' }), 'invalid_request'],
    ['no method, which means plain', codeQuery({ code_challenge_method: undefined }), 'invalid_request'],
    ['method in another case', codeQuery({ code_challenge_method: 's256' }), 'invalid_request'],
    ['response_mode unknown', codeQuery({ response_mode: 'x' }), 'invalid_request'],
    ['response_mode repeated', `${codeQuery()}&response_mode=query&response_mode=query`, 'invalid_request'],
    ['the client is not allowed to use it', codeQuery({ client_id: 'implicit-only' }), 'unauthorized_client'],
    ['scope repeated', `${codeQuery()}&scope=a&scope=b`, 'invalid_request'],
    ['resource', codeQuery({ resource: 'https://other.example' }), 'invalid_target']
  ]
  for (const [name, search, error] of rows) {
    const response = await app.inject(`/authorize?${search}`)
    t.equal(response.statusCode, 302, name)
    t.notMatch(response.headers.location, '#', name)
    t.match(queryOf(response), { error, state: 's', iss: 'https://id.example' }, name)
    t.equal((await app.inject(`/consent?${search}`)).headers.location, response.headers.location, 'the consent page too')
  }
  const fragment = await app.inject(`/authorize?${codeQuery({ response_mode: 'fragment', code_challenge_method: 'plain' })}`)
  t.equal(fragmentOf(fragment).error, 'invalid_request')
  const token = await app.inject(`/authorize?${query()}`)
  t.equal(fragmentOf(token).error, 'unauthorized_client', 'the implicit grant, which this client may not use')
  const browser = new Browser(app)
  const denied = await browser.post(`/consent?${codeQuery()}`, { transaction: await browser.consent(codeQuery()), decision: 'deny' })
  t.match(queryOf(denied), { error: 'access_denied', state: 's' })
})

t.test('POST /authorize takes the same request as a form, and goes on with it as a query (RFC 6749 §3.1)', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient({ implicit: 'allowed' }))
  const browser = new Browser(app)
  for (const search of [codeQuery(), query({ state: 'a b+c' }), `${codeQuery()}&x=1&x=2`]) {
    const response = await browser.post('/authorize', search)
    t.equal(response.statusCode, 303)
    t.equal(response.headers.location, `https://id.example/consent?${search}`, 'byte for byte')
  }
  t.equal((await browser.post('/authorize', `${query()}&state2=#a`)).headers.location, `https://id.example/consent?${query()}&state2=%23a`)
  t.match(queryOf(await browser.post('/authorize', codeQuery({ code_challenge: undefined }))), { error: 'invalid_request', state: 's' })
  const refused: Array<[name: string, form: string, status: number]> = [
    ['nothing', '', 400], ['client_id unknown', query({ client_id: 'nobody' }), 400], ['a broken escape', `${query()}&x=%`, 400],
    ['another callback', query({ redirect_uri: 'https://app.example/other' }), 400], ['too long', query({ state: 'x'.repeat(8000) }), 414]
  ]
  for (const [name, form, status] of refused) {
    const response = await browser.post('/authorize', form)
    t.equal(response.statusCode, status, name)
    t.equal(response.headers.location, undefined, name)
  }
  t.equal((await browser.post(`/authorize?${query()}`, '')).statusCode, 400, 'what is in the query does not count')
  const json = await app.inject({ method: 'POST', url: '/authorize', headers: { 'content-type': 'application/json' }, payload: '{}' })
  t.equal(json.statusCode, 415)
})

t.test('only a native client may be called back on any loopback port (RFC 8252 §7.3)', async t => {
  const { app, stores } = await build(t)
  const callbacks = ['http://127.0.0.1/cb', 'http://[::1]/cb?x=1', 'http://localhost:1234/cb', 'https://app.example/cb']
  await stores.clients.put(codeClient({ native: true, callbacks }))
  await stores.clients.put(codeClient({ id: 'web', callbacks }))
  const rows: Array<[requested: string, native: number, web: number]> = [
    ['http://127.0.0.1/cb', 302, 302],
    ['http://127.0.0.1:49152/cb', 302, 400],
    ['http://127.0.0.1:65535/cb', 302, 400],
    ['http://[::1]:8080/cb?x=1', 302, 400],
    ['http://localhost:9/cb', 302, 400],
    ['http://localhost/cb', 302, 400],
    ['http://127.0.0.1:65536/cb', 400, 400],
    ['http://127.0.0.1:0/cb', 400, 400],
    ['http://127.0.0.1:080/cb', 400, 400],
    ['http://127.0.0.1:/cb', 400, 400],
    ['http://127.0.0.1:80/cb/', 400, 400],
    ['http://127.0.0.1:80/CB', 400, 400],
    ['http://[::1]:8080/cb', 400, 400],
    ['http://127.0.0.1:80@evil.example/cb', 400, 400],
    ['http://127.0.0.1.evil.example:80/cb', 400, 400],
    ['http://127.0.0.2:80/cb', 400, 400],
    ['https://127.0.0.1:80/cb', 400, 400],
    ['https://app.example:8443/cb', 400, 400],
    ['http://127.0.0.1:80/cb#x', 400, 400]
  ]
  for (const [callback, native, web] of rows) {
    const search = { redirect_uri: callback }
    t.equal((await app.inject(`/authorize?${codeQuery(search)}`)).statusCode, native, callback)
    t.equal((await app.inject(`/authorize?${codeQuery({ ...search, client_id: 'web' })}`)).statusCode, web, callback)
  }
  const allowed = await new Browser(app).allow(codeQuery({ redirect_uri: 'http://127.0.0.1:49152/cb' }))
  t.ok(allowed.headers.location?.startsWith('http://127.0.0.1:49152/cb?code='), 'with the port of the request')
})
