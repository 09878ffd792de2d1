import t from 'tap'
import { build } from '../../support/helper.js'
import { codeClient, exchangeForm, getCode, post } from '../../support/code-flow.js'

t.test('whatever cannot be read is refused as JSON, and nothing of the token endpoint is stored', async t => {
  const { app } = await build(t)
  const rows: Array<[name: string, payload: string, type: string, status: number]> = [
    ['nothing', '', 'application/x-www-form-urlencoded', 401],
    ['a broken escape', 'a=%', 'application/x-www-form-urlencoded', 400],
    ['JSON', '{}', 'application/json', 415],
    ['too large', `a=${'x'.repeat(17_000)}`, 'application/x-www-form-urlencoded', 413],
    ['__proto__', '__proto__=x&client_id=app', 'application/x-www-form-urlencoded', 400]
  ]
  for (const [name, payload, type, status] of rows) {
    const response = await post(app, '/token', payload, { 'content-type': type, accept: 'text/html' })
    t.equal(response.statusCode, status, name)
    t.match(response.headers, { 'content-type': /^application\/json/, 'cache-control': 'no-store', pragma: 'no-cache' }, name)
    t.match(response.json(), { error: /^invalid_(request|client)$/, error_description: String }, name)
  }
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    const response = await app.inject({ method, url: '/token' })
    t.equal(response.statusCode, 405, method)
    t.equal(response.headers.allow, 'POST, OPTIONS', method)
  }
})

t.test('without a database it answers 503 with Retry-After, as JSON', async t => {
  const { app, stores, logs } = await build(t)
  await stores.clients.put(codeClient())
  const code = await getCode(app)
  const levels = () =>
    logs
      .splice(0)
      .map(line => JSON.parse(line))
      .filter(({ msg }) => msg === 'request failed')
      .map(({ level, err }) => [level, err.message])
  stores.codes.exchange = async () => { throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' }) }
  const response = await post(app, '/token', exchangeForm(code))
  t.equal(response.statusCode, 503)
  t.equal(response.json().error, 'temporarily_unavailable')
  t.same(levels(), [[50, 'away']], 'an error in the log')
  t.ok(response.headers['retry-after'])
  stores.codes.exchange = async () => { throw new Error('a bug') }
  const broken = await post(app, '/token', exchangeForm(code))
  t.equal(broken.statusCode, 500)
  t.equal(broken.json().error, 'server_error')
  t.notMatch(broken.body, 'a bug')
  t.same(levels(), [[50, 'a bug']])
  await post(app, '/token', '{}', { 'content-type': 'application/json' })
  t.match(levels(), [[30]], 'what callers do wrong is not')
})

t.test('pages of a registered callback\'s origin may call it, without cookies, and no others', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(
    codeClient({
      callbacks: [
        'https://app.example/cb',
        'http://localhost:3002/callback',
        'https://bare.example',
        'https://query.example?x=1',
        'com.example.app:/cb'
      ]
    })
  )
  await stores.clients.put(codeClient({ id: 'off', callbacks: ['https://off.example/cb'] }))
  await stores.clients.setDisabled('off', new Date())
  const ask = async (origin: string, method: 'POST' | 'OPTIONS' = 'OPTIONS') =>
    await app.inject({ method, url: '/token', headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'DPoP' } })
  for (const origin of ['https://app.example', 'http://localhost:3002', 'https://bare.example', 'https://query.example']) {
    const preflight = await ask(origin)
    t.equal(preflight.statusCode, 204, origin)
    t.match(preflight.headers, {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'DPoP',
      vary: 'Origin, Access-Control-Request-Headers'
    })
    t.notOk('access-control-allow-credentials' in preflight.headers)
    t.equal((await ask(origin, 'POST')).headers['access-control-allow-origin'], origin, 'errors too')
  }
  for (const origin of [
    'https://app.example.evil.example',
    'https://app.exampl',
    'http://app.example',
    'https://app.example:8443',
    'http://localhost',
    'http://localhost:300',
    'null',
    'com.example.app:',
    'https://off.example',
    'https://app_example',
    'https://%',
    'x\0y',
    ''
  ]) {
    const { headers } = await ask(origin)
    t.notOk('access-control-allow-origin' in headers, origin)
    t.match(headers.vary, /origin/i)
  }
})

t.test('no log line holds a code, a verifier, a secret or a token', async t => {
  const { app, stores, logs } = await build(t)
  await stores.clients.put(codeClient())
  const code = await getCode(app)
  const { access_token: token } = (await post(app, '/token', exchangeForm(code))).json()
  await post(app, '/token', exchangeForm(code))
  await post(app, '/token', exchangeForm('x', { client_secret: 'a-secret' }), { authorization: 'Basic eHg6eXk=' })
  const text = logs.join('')
  for (const secret of [code, token, 'v'.repeat(43), 'a-secret', 'eHg6eXk=', 'Basic ']) t.notOk(text.includes(secret), secret.slice(0, 12))
  t.ok(logs.map(it => JSON.parse(it)).some(it => /used a second time/.test(it.reason)), 'the reason is there')
})

t.test('pages that a native app serves on loopback may call it from any port (RFC 8252 §7.3)', async t => {
  const { app, stores } = await build(t)
  const allows = async (origin: string) =>
    'access-control-allow-origin' in
    (await app.inject({ method: 'OPTIONS', url: '/token', headers: { origin, 'access-control-request-method': 'POST' } })).headers
  for (const callback of ['http://127.0.0.1:3002/cb', 'http://127.0.0.1/cb', 'http://127.0.0.1']) {
    await stores.clients.put(codeClient({ callbacks: [callback], native: true }))
    for (const origin of ['http://127.0.0.1', 'http://127.0.0.1:3002', 'http://127.0.0.1:49152']) {
      t.equal(await allows(origin), true, `${origin} of ${callback}`)
    }
    for (const origin of [
      'http://localhost:49152',
      'http://[::1]:49152',
      'https://127.0.0.1:49152',
      'http://127.0.0.10:49152',
      'http://127.0.0.1:x',
      'http://127.0.0.1:49152.evil.example'
    ]) { t.equal(await allows(origin), false, `${origin} of ${callback}`) }
  }
  await stores.clients.setDisabled('app', new Date())
  t.equal(await allows('http://127.0.0.1:49152'), false, 'not of one that is disabled')
  await stores.clients.put(codeClient({ callbacks: ['http://127.0.0.1:3002/cb'] }))
  await stores.clients.setDisabled('app', null)
  t.equal(await allows('http://127.0.0.1:49152'), false, 'nor of one that is not native')
})
