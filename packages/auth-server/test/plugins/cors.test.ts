import t from 'tap'
import { endpoints } from '../../src/routes/admin/index.js'
import { build } from '../support/helper.js'

const origin = 'https://app.example'

t.test('a page of a client can read each answer of the endpoints for clients, errors too, and any page the open documents', async t => {
  const { app } = await build(t)
  const rows: Array<[method: 'GET' | 'POST' | 'DELETE' | 'PUT', url: string, status: number, allowed: string | undefined]> = [
    ['POST', '/token', 415, origin],
    ['GET', '/token', 405, origin],
    ['DELETE', '/revoke', 405, origin],
    ['GET', '/.well-known/jwks.json', 200, '*'],
    ['POST', '/.well-known/jwks.json', 405, '*'],
    ['GET', '/.well-known/oauth-authorization-server', 200, '*'],
    ['PUT', '/.well-known/oauth-authorization-server', 405, '*'],
    ['GET', '/openapi.json', 200, '*'],
    ['GET', '/revocations', 200, '*'],
    ['GET', '/revocations?after=x', 400, '*'],
    ['GET', '/nowhere', 404, '*'],
    ['GET', '/.well-known/openid-configuration', 200, '*'],
    ['GET', '/userinfo', 401, origin],
    ['POST', '/device_authorization', 415, origin],
    ['GET', '/device', 200, undefined],
    ['GET', '/authorize', 400, undefined],
    ['PUT', '/authorize', 405, undefined],
    ['GET', '/consent', 400, undefined],
    ['DELETE', '/consent', 405, undefined],
    ['GET', '/account', 200, undefined],
    ['POST', '/introspect', 415, undefined]
  ]
  for (const [method, url, status, allowed] of rows) {
    const { statusCode, headers } = await app.inject({
      method,
      url,
      headers: { origin, accept: 'application/json', 'content-type': 'text/plain' },
      ...(method === 'GET' ? {} : { payload: 'x' })
    })
    t.equal(statusCode, status, `${method} ${url}`)
    t.equal(headers['access-control-allow-origin'], allowed, `${method} ${url}`)
    t.notOk('access-control-allow-credentials' in headers)
    if (allowed !== undefined) {
      for (const name of ['WWW-Authenticate', 'X-Request-Id', 'Retry-After']) t.match(headers['access-control-expose-headers'], name)
    }
  }
})

t.test('preflights of documents and unknown paths are answered, those of pages are not', async t => {
  const { app } = await build(t, { ISSUER: 'https://id.example/a' })
  const preflight = async (url: string) =>
    await app.inject({
      method: 'OPTIONS',
      url,
      headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'traceparent' }
    })
  for (const url of [
    '/a/.well-known/jwks.json',
    '/a/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/a',
    '/nowhere',
    '/a/token'
  ]) {
    const { statusCode, headers } = await preflight(url)
    t.equal(statusCode, 204, url)
    t.ok(headers['access-control-allow-origin'], url)
    t.match(headers['access-control-allow-headers'], /traceparent/, url)
  }
  for (const url of ['/a/authorize', '/a/consent', '/a/account', '/a/']) {
    t.notOk('access-control-allow-origin' in (await preflight(url)).headers, url)
  }
})

/** What pages may call or read: those of a client, or any. */
const CORS: Record<string, string> = {
  '/token': origin,
  '/revoke': origin,
  '/par': origin,
  '/device_authorization': origin,
  '/userinfo': origin,
  '/directory': origin,
  '/register': '*',
  '/register/:client_id': '*',
  '/.well-known/oauth-authorization-server': '*',
  '/.well-known/openid-configuration': '*',
  '/.well-known/jwks.json': '*',
  '/revocations': '*',
  '/openapi.json': '*'
}

t.test('of all routes, only those of the table are open to pages of other origins, and never with cookies', async t => {
  const { app, routes } = await build(t, { REGISTRATION: 'open' })
  t.same(Object.keys(CORS).filter(path => !routes.some(({ url }) => url === path)), [])
  for (const { method, url } of routes) {
    // as: the routes of this server have ordinary methods.
    const ask = async (verb: string, headers: object) =>
      (await app.inject({ method: verb as 'GET', url: url.replaceAll(/:\w+/g, '1'), headers: { origin, ...headers } })).headers
    const names = 'mcp-protocol-version,x-okta-user-agent-extended'
    const answers = [
      await ask(method, { accept: '*/*' }),
      await ask('OPTIONS', { 'access-control-request-method': method, 'access-control-request-headers': names })
    ]
    for (const [index, headers] of answers.entries()) {
      t.equal(headers['access-control-allow-origin'], CORS[url], `${method} ${url}`)
      const allowed = index === 0 || CORS[url] === undefined ? undefined : names.replace(',', ', ')
      if (method !== 'OPTIONS') t.equal(headers['access-control-allow-headers'], allowed, `${method} ${url}`)
      if (allowed !== undefined) t.match(headers.vary, 'Access-Control-Request-Headers', url)
      if (CORS[url] === origin) t.match(headers.vary, /Origin/, url)
      t.notOk('access-control-allow-credentials' in headers)
    }
  }
})

t.test('CORS allows a page to read that the database does not answer', async t => {
  const { app, stores } = await build(t)
  stores.clients.hasOrigin = async () => { throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' }) }
  for (const [method, url] of [['POST', '/token'], ['GET', '/token']] as const) {
    const { statusCode, headers } = await app.inject({ method, url, headers: { origin, accept: 'application/json' } })
    t.equal(statusCode, 503)
    t.equal(headers['access-control-allow-origin'], origin, 'this answer only')
    t.equal(headers['cache-control'], 'no-store')
  }
})

t.test('no page of an app can read what is for administrators, on known and unknown paths', async t => {
  const { app } = await build(t, { ADMIN: 'true', ISSUER: 'https://id.example/a' })
  const paths = endpoints.map(({ path }) => `/api${path.replace(/:\w+/g, 'app')}`)
  for (const path of ['', '/people', '/nowhere', '/api', '/api/', '/api/nowhere', ...paths]) {
    for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
      const asked = method === 'OPTIONS' ? { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' } : {}
      const { statusCode, headers } = await app.inject({ method, url: `/a/admin${path}`, headers: { origin, ...asked } })
      t.same(Object.keys(headers).filter(name => name.startsWith('access-control-')), [], `${method} ${path}`)
      t.not(statusCode, 204, `${method} ${path}`)
    }
  }
  t.equal((await app.inject({ url: '/administrators', headers: { origin } })).headers['access-control-allow-origin'], '*')
})
