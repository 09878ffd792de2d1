import t from 'tap'
import { databaseUnavailable } from '../../src/problems/service.js'
import { PATH, buildOnce } from '../support/helper.js'

const origin = 'https://app.example'

t.test('CORS: listed origins may read the answers and what their header fields say', async t => {
  const { send, register } = await buildOnce(t, { CORS_ORIGINS: `${origin}, http://localhost:3002` })
  await register(1)
  const requests: Array<[method: string, path: string, token?: null]> = [
    ['GET', `${PATH}/1`], ['GET', `${PATH}/404`], ['GET', `${PATH}/1`, null], ['GET', '/nowhere'], ['PATCH', PATH], ['POST', PATH],
    ['PUT', PATH], ['GET', '/openapi.json'], ['DELETE', '/nowhere/at/all'], ['GET', `${PATH}/1//`]
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
  t.equal(headers['access-control-allow-headers'], 'authorization, content-type, if-match')
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

t.test('the header fields that a page asks for are allowed if they are tokens, at most 50 and 2 kB', async t => {
  const { send } = await buildOnce(t, { CORS_ORIGINS: origin })
  const ask = async (requested: string | undefined, of = origin, path = PATH) => (await send('OPTIONS', path, {
    token: null,
    headers: {
      origin: of, 'access-control-request-method': 'GET', ...requested === undefined ? {} : { 'access-control-request-headers': requested }
    }
  })).headers
  const names = (count: number) => Array.from({ length: count }, (_, index) => `x-${index}`)
  const table: Array<[requested: string | undefined, allowed: string | undefined]> = [
    ['authorization,mcp-protocol-version', 'authorization, mcp-protocol-version'],
    ['b3, Pragma ,If-None-Match', 'b3, Pragma, If-None-Match'],
    ['x-datadog-trace-id,x-okta-user-agent-extended', 'x-datadog-trace-id, x-okta-user-agent-extended'],
    ["!#$%&'*+.^_`|~-", "!#$%&'*+.^_`|~-"],
    ['a b, x:y, "z", (c), é, d', 'd'],
    [',,', undefined], ['', undefined], [undefined, undefined],
    [names(50).join(), names(50).join(', ')],
    [names(51).join(), undefined],
    ['x'.repeat(2_048), 'x'.repeat(2_048)],
    ['x'.repeat(2_049), undefined]
  ]
  for (const [requested, allowed] of table) {
    const headers = await ask(requested)
    t.equal(headers['access-control-allow-headers'], allowed, String(requested))
    t.equal(headers.vary, 'Origin, Access-Control-Request-Headers', String(requested))
  }
  t.equal((await ask('x-a', 'https://evil.example'))['access-control-allow-headers'], undefined)
  t.match(await ask('mcp-protocol-version', 'https://any.example', '/.well-known/oauth-protected-resource'), {
    'access-control-allow-origin': '*', 'access-control-allow-headers': 'mcp-protocol-version'
  })
})

t.test('of all routes, listed origins may call the API, any page may read the metadata, and no page is open', async t => {
  for (const prefix of ['', '/crm']) {
    const { send, routes } = await buildOnce(t, { CORS_ORIGINS: origin, SERVICE_ROOT: `https://customers.example${prefix}` })
    const classOf = (url: string) => {
      if (url.startsWith('/.well-known/oauth-protected-resource')) return 'any'
      return url.startsWith(`${prefix}/rest/`) || url === `${prefix}/openapi.json` ? 'listed' : 'none'
    }
    t.same(new Set(routes.map(({ url }) => classOf(url))), new Set(['any', 'listed', 'none']))
    for (const { method, url } of routes) {
      const path = url.replaceAll(/:\w+/g, '1')
      for (const from of [origin, 'https://other.example']) {
        const allowed = { any: '*', listed: from === origin ? origin : undefined, none: undefined }[classOf(url)]
        const preflight = { 'access-control-request-method': method, 'access-control-request-headers': 'x-a' }
        for (const [verb, more] of [[method, {}], ['OPTIONS', preflight]] as const) {
          const { headers } = await send(verb, path, { headers: { origin: from, accept: '*/*', ...more }, token: null })
          t.equal(headers['access-control-allow-origin'], allowed, `${verb} ${path} from ${from}`)
          t.equal(headers['access-control-allow-headers'], allowed === undefined || verb !== 'OPTIONS' ? undefined : 'x-a', `${verb} ${path}`)
          t.notOk('access-control-allow-credentials' in headers)
        }
      }
    }
  }
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
