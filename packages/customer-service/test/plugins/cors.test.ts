import t from 'tap'
import { databaseUnavailable } from '../../src/problems/service.js'
import { PATH, buildOnce } from '../helper.js'

const origin = 'https://app.example'

t.test('CORS: listed origins may read the answers and what their header fields say', async t => {
  const { send, register } = await buildOnce(t, { CORS_ORIGINS: `${origin}, http://localhost:3002` })
  await register(1)
  const requests: Array<[method: string, path: string, token?: null]> = [
    ['GET', `${PATH}/1`], ['GET', `${PATH}/404`], ['GET', `${PATH}/1`, null], ['GET', '/nowhere'], ['PATCH', PATH], ['POST', PATH],
    ['PUT', PATH], ['GET', '/'], ['GET', '/openapi.json'], ['DELETE', '/nowhere/at/all'], ['GET', `${PATH}/1//`]
  ]
  for (const [method, path, token] of requests) {
    const { headers } = await send(method, path, { headers: { origin }, ...(token === null ? { token } : {}) })
    t.equal(headers['access-control-allow-origin'], origin, `${method} ${path}`)
    t.equal(
      headers['access-control-expose-headers'],
      'Location, ETag, Retry-After, WWW-Authenticate, X-Request-Id, Idempotent-Replayed, Deprecation, Sunset, Link, DPoP-Nonce, RateLimit, RateLimit-Policy'
    )
    t.match(headers.vary, /Origin/)
    t.notHas(headers, { 'access-control-allow-credentials': String })
  }
  for (const other of [
    'https://app.example.evil',
    'https://app.example:8443',
    'http://app.example',
    'null',
    'https://APP.example',
    `${origin}, https://evil.example`
  ]) {
    const { headers } = await send('GET', `${PATH}/1`, { headers: { origin: other } })
    t.notHas(headers, { 'access-control-allow-origin': String }, other)
    t.match(headers.vary, /Origin/)
  }
})

t.test('a preflight needs no token, and is answered per path', async t => {
  const { send } = await buildOnce(t, { CORS_ORIGINS: origin })
  const preflight = async (path: string, headers = {}) =>
    await send('OPTIONS', path, {
      token: null,
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization,content-type,if-match',
        ...headers
      }
    })
  const { statusCode, headers } = await preflight(PATH)
  t.equal(statusCode, 204)
  t.equal(headers['access-control-allow-origin'], origin)
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) t.match(headers['access-control-allow-methods'], method)
  for (const name of [
    'Authorization',
    'Content-Type',
    'If-Match',
    'If-None-Match',
    'Accept',
    'Idempotency-Key',
    'X-Requested-With',
    'traceparent',
    'tracestate',
    'baggage',
    'sentry-trace',
    'Cache-Control'
  ]) { t.match(headers['access-control-allow-headers'], name) }
  t.equal(headers.allow, 'GET, HEAD, POST, PUT, OPTIONS')
  t.equal((await preflight(`${PATH}/1`)).headers.allow, 'GET, HEAD, DELETE, PUT, PATCH, OPTIONS')
  const unknown = await preflight('/nowhere')
  t.equal(unknown.statusCode, 204, 'else the page would not see the 404')
  t.equal(unknown.headers['access-control-allow-origin'], origin)
  t.equal((await preflight('/nowhere', { origin: 'https://evil.example' })).statusCode, 404)
  t.notHas((await preflight(PATH, { origin: 'https://evil.example' })).headers, { 'access-control-allow-origin': String })
  const plain = await send('OPTIONS', PATH, { token: null })
  t.equal(plain.statusCode, 204)
  t.notHas(plain.headers, { 'access-control-allow-methods': String })
})

t.test('CORS_HEADERS names more header fields that pages may send', async t => {
  const { send } = await buildOnce(t, { CORS_ORIGINS: origin, CORS_HEADERS: 'X-App-Version, x-requested-with' })
  const { headers } = await send('OPTIONS', PATH, {
    token: null,
    headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-app-version' }
  })
  const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(', ')
  t.ok(allowed.includes('x-app-version') && allowed.includes('authorization'))
  t.equal(allowed.filter(name => name === 'x-requested-with').length, 1)
})

t.test('the database or the keys away: the 503 can be read too', async t => {
  const { send, customers, issuer } = await buildOnce(t, { CORS_ORIGINS: origin })
  customers.find = async () => { throw databaseUnavailable('away') }
  const answer = await send('GET', `${PATH}/1`, { headers: { origin } })
  t.equal(answer.statusCode, 503)
  t.equal(answer.headers['access-control-allow-origin'], origin)
  const other = await buildOnce(t, { CORS_ORIGINS: origin, JWKS_URL: 'http://127.0.0.1:9' })
  const keyless = await other.send('GET', `${PATH}/1`, { token: await issuer.mint(), headers: { origin } })
  t.equal(keyless.statusCode, 503)
  t.equal(keyless.headers['access-control-allow-origin'], origin)
})
