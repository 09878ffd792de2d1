import t from 'tap'
import { build, CALLBACK, client, query } from '../../support/helper.js'

t.test('a callback matches byte for byte or not at all (RFC 9700 §2.1)', async t => {
  const { app } = await build(t)
  const rows: Array<[requested: string, difference: string]> = [
    ['https://app.example/cb/', 'trailing slash'],
    ['https://app.example/CB', 'case'],
    ['https://APP.example/cb', 'case'],
    ['HTTPS://app.example/cb', 'case'],
    ['http://app.example/cb', 'scheme'],
    ['https://app.example:443/cb', 'port'],
    ['https://app.example:8443/cb', 'port'],
    ['https://app.example/cb?x=1', 'query'],
    ['https://app.example/cb#', 'fragment'],
    ['https://app.example/cb#x', 'fragment'],
    ['https://me@app.example/cb', 'host'],
    ['https://app.example.evil.example/cb', 'host'],
    ['https://app.example@evil.example/cb', 'host'],
    ['https://evil.example/https://app.example/cb', 'host'],
    ['https:\\\\app.example\\cb', 'host'],
    ['https://app.example\\cb', 'host'],
    ['https://app.example/%63b', 'encoding'],
    ['https://app.example/%2563b', 'path'],
    ['https://app.example/./cb', 'path'],
    ['https://app.example/x/%2e%2e/cb', 'path'],
    ['https://app.example//cb', 'path'],
    ['https://app.example/cb%0d%0aSet-Cookie:x=1', 'path'],
    ['https://app.example/cb\r\nSet-Cookie: x=1', 'path'],
    ['https://app.example/cb%00', 'path'],
    ['https://app.example/cb\0', 'path'],
    ['https://app.example/\tcb', 'path'],
    ['https://app.example/cb ', 'path'],
    ['https://аpp.example/cb', 'host'],
    ['javascript:alert(1)', 'scheme'],
    ['//app.example/cb', 'scheme'],
    ['/cb', 'scheme'],
    ['*', 'scheme']
  ]
  for (const [requested, difference] of rows) {
    const response = await app.inject(`/authorize?${query({ redirect_uri: requested })}`)
    t.equal(response.statusCode, 400, requested)
    t.equal(response.headers.location, undefined, requested)
    t.match(response.body, `<strong>${difference}</strong>`, `${requested} differs in its ${difference}`)
    t.notOk(response.headers['set-cookie'], requested)
  }
})

t.test('the page shows a requested callback as inert text; the full comparison is in the log under its reference', async t => {
  const { app, logs } = await build(t)
  const requested = 'https://x.example/"><script>alert(1)</script><%= 1 %>'
  const response = await app.inject({ url: `/authorize?${query({ redirect_uri: requested })}`, headers: { 'x-request-id': 'reference-1' } })
  t.notMatch(response.body, /<script/)
  t.match(response.body, 'https://x.example/&quot;&gt;&lt;script&gt;')
  t.match(response.body, 'reference-1')
  t.notMatch(response.body, 'app.example', 'the registered one is not told')
  const line = logs.map(it => JSON.parse(it)).find(it => it.requested !== undefined)
  t.match(line, { requestId: 'reference-1', client: 'app', requested, registered: [CALLBACK], difference: 'host' })
})

t.test('registered so, unusual callbacks are accepted and the answer begins with their bytes', async t => {
  const { app, stores } = await build(t)
  for (const callback of [
    'https://app.example:443/cb',
    'https://app.example',
    'https://app.example/a%2Fb?x=%20y',
    'http://localhost:3002/callback',
    'http://127.0.0.1/',
    'http://[::1]:8080/cb',
    'com.example.app:/oauth'
  ]) {
    await stores.clients.put(client({ callbacks: [callback] }))
    const response = await app.inject(`/authorize?${query({ redirect_uri: callback, response_type: 'x' })}`)
    t.equal(response.statusCode, 302, callback)
    t.ok(response.headers.location?.startsWith(`${callback}#error=`), callback)
  }
})

t.test('without redirect_uri the only registered one is used (RFC 6749 §3.1.2.3)', async t => {
  const { app } = await build(t)
  for (const redirect of [undefined, '']) {
    const response = await app.inject(`/authorize?${query({ redirect_uri: redirect, response_type: 'x' })}`)
    t.ok(response.headers.location?.startsWith(`${CALLBACK}#error=`))
  }
})
