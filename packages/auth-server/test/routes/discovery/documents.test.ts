import Fastify from 'fastify'
import { copyFileSync, renameSync } from 'node:fs'
import t from 'tap'
import health from '../../../src/routes/health/index.js'
import { build } from '../../support/helper.js'

t.test('metadata says what the server does; the issuer is the configured one whatever Host says (RFC 8414 §2)', async t => {
  const { app } = await build(t)
  const response = await app.inject({
    url: '/.well-known/oauth-authorization-server',
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
  })
  t.same(response.json(), {
    issuer: 'https://id.example',
    authorization_endpoint: 'https://id.example/authorize',
    token_endpoint: 'https://id.example/token',
    revocation_endpoint: 'https://id.example/revoke',
    introspection_endpoint: 'https://id.example/introspect',
    jwks_uri: 'https://id.example/.well-known/jwks.json',
    pushed_authorization_request_endpoint: 'https://id.example/par',
    device_authorization_endpoint: 'https://id.example/device_authorization',
    end_session_endpoint: 'https://id.example/end-session',
    userinfo_endpoint: 'https://id.example/userinfo',
    scopes_supported: ['openid', 'profile', 'email', 'roles', 'offline_access', 'customer:read', 'customer:write', 'customer:delete'],
    response_types_supported: ['token', 'code', 'id_token', 'id_token token'],
    response_modes_supported: ['fragment', 'query', 'form_post'],
    grant_types_supported: ['implicit', 'authorization_code', 'refresh_token', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA', 'Ed25519'],
    revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    revocation_endpoint_auth_signing_alg_values_supported: ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA', 'Ed25519'],
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    introspection_endpoint_auth_signing_alg_values_supported: ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA', 'Ed25519'],
    dpop_signing_alg_values_supported: ['ES256', 'EdDSA', 'Ed25519'],
    protected_resources: ['https://id.example'],
    authorization_response_iss_parameter_supported: true,
    subject_types_supported: ['public', 'pairwise'],
    id_token_signing_alg_values_supported: ['RS256', 'ES256', 'EdDSA', 'Ed25519'],
    userinfo_signing_alg_values_supported: ['RS256', 'ES256', 'EdDSA', 'Ed25519'],
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    claims_supported: [
      'iss', 'aud', 'iat', 'exp', 'auth_time', 'acr', 'amr', 'nonce', 'sid', 'at_hash', 'sub', 'name', 'given_name', 'family_name',
      'locale', 'picture', 'preferred_username', 'updated_at', 'email', 'email_verified', 'roles'
    ],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    ui_locales_supported: ['en', 'de', 'fr', 'es', 'ar'],
    acr_values_supported: ['urn:frontdesk:acr:password', 'urn:frontdesk:acr:mfa', 'phr'],
    claims_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false
  })
  t.same((await app.inject('/.well-known/openid-configuration')).json(), response.json(), 'OpenID Connect Discovery §4')
  t.equal(response.headers['access-control-allow-origin'], '*')
})

t.test('for an issuer with a path it is where OpenID Connect Discovery §4 puts it, and where RFC 8414 §3.1 does', async t => {
  const { app } = await build(t, { ISSUER: 'https://id.example/a/b' })
  for (const url of [
    '/a/b/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/a/b',
    '/a/b/.well-known/openid-configuration',
    '/.well-known/openid-configuration/a/b'
  ]) {
    t.equal((await app.inject(url)).json().authorization_endpoint, 'https://id.example/a/b/authorize', url)
  }
  t.equal((await app.inject('/a/b/.well-known/jwks.json')).statusCode, 200)
})

t.test('the key set may be cached and holds public members only (RFC 7517 §5)', async t => {
  const { app } = await build(t)
  const response = await app.inject('/.well-known/jwks.json')
  t.match(response.headers['cache-control'], /^public, max-age=\d+$/)
  t.same(Object.keys(response.json().keys[0]).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
})

t.test('OpenAPI 3.1 describes every route, with every status', async t => {
  const { app } = await build(t)
  const { openapi, paths } = (await app.inject('/openapi.json')).json()
  t.match(openapi, /^3\.1\./)
  t.same(Object.keys(paths).sort(), [
    '/',
    '/.well-known/jwks.json',
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
    '/account',
    '/account/passkeys',
    '/account/two-step',
    '/authorize',
    '/consent',
    '/device',
    '/device_authorization',
    '/directory',
    '/end-session',
    '/health/live',
    '/health/ready',
    '/introspect',
    '/leave-implicit',
    '/par',
    '/problems',
    '/problems/{name}',
    '/revocations',
    '/revoke',
    '/set-password',
    '/set-up-factor',
    '/sign-out',
    '/token',
    '/userinfo'
  ])
  for (const [path, methods] of Object.entries<Record<string, { summary?: string, tags?: string[], responses: object }>>(paths)) {
    for (const [method, { summary, tags, responses }] of Object.entries(methods)) {
      t.ok(summary && tags?.length && Object.keys(responses).length > 0, `${method} ${path}`)
    }
  }
})

t.test(
  'every operation of /openapi.json has an operationId of its own, and an address that exists, also for an issuer with a path',
  async t => {
    for (const ISSUER of ['https://id.example', 'https://id.example/a/b']) {
      const { app } = await build(t, { ISSUER })
      const { paths, servers } = (await app.inject(`${new URL(ISSUER).pathname.replace(/\/$/, '')}/openapi.json`)).json()
      const ids = Object.values<Record<string, { operationId?: string }>>(paths).flatMap(path =>
        Object.values(path).map(({ operationId }) => operationId)
      )
      for (const id of ids) t.match(id, /^[a-z][A-Za-z]+$/)
      t.equal(new Set(ids).size, ids.length, 'no two are the same')
      for (const [path, methods] of Object.entries<object>(paths)) {
        const { pathname } = new URL(servers[0].url.replace(/\/$/, '') + path.replace(/{(\w+)}/g, ':$1'))
        for (const method of Object.keys(methods)) {
          t.ok(app.hasRoute({ method: method.toUpperCase() as 'GET', url: pathname }), `${method} ${pathname}`)
        }
      }
    }
  }
)

t.test('health: live while the process runs, ready while the database answers and nothing stops', async t => {
  const { app, stores } = await build(t)
  t.equal((await app.inject('/health/live')).statusCode, 200)
  t.match((await app.inject('/health/ready')).json(), { status: 'ok', checks: { database: 'ok' } })
  const drained = app.drain()
  const draining = await app.inject('/health/ready')
  t.equal(draining.statusCode, 503)
  t.equal(draining.headers.connection, 'close')
  t.equal((await app.inject('/health/live')).statusCode, 200)
  await drained
  await stores.close()
})

t.test('readiness says that the file of the database is gone, or that another is in its place', async t => {
  const { app, databaseUrl } = await build(t)
  const file = databaseUrl.slice('file:'.length)
  renameSync(file, `${file}.moved`)
  const answer = await app.inject('/health/ready')
  t.equal(answer.statusCode, 503)
  t.match(answer.json(), { status: 'unavailable', checks: { database: 'the file was removed or moved while it was open' } })
  copyFileSync(`${file}.moved`, file)
  t.match((await app.inject('/health/ready')).json(), {
    status: 'unavailable',
    checks: { database: 'the file was replaced while it was open' }
  })
  renameSync(`${file}.moved`, file)
  t.equal((await app.inject('/health/ready')).statusCode, 200, 'once it is back')
})

t.test('readiness names each check; without a key that signs it is 503', async t => {
  for (const [canSign, statusCode] of [[true, 200], [false, 503]] as const) {
    const app = Fastify().decorate('draining', false)
    app.decorate('clockFault', () => undefined)
    await app.register(health, { ping: async () => 'ok', keys: { canSign: () => canSign }, audit: { count: async () => 0 }, auditMaxRows: 1_000 })
    const response = await app.inject('/health/ready')
    t.equal(response.statusCode, statusCode)
    t.same(response.json(), {
      status: canSign ? 'ok' : 'unavailable',
      checks: { database: 'ok', keys: canSign ? 'ok' : 'none signs', process: 'ok' }
    })
  }
})

t.test('a well-formed X-Request-Id is kept, another is replaced, and either comes back', async t => {
  const { app, logs } = await build(t)
  t.equal((await app.inject({ url: '/health/live', headers: { 'x-request-id': 'Trace-1.a_B' } })).headers['x-request-id'], 'Trace-1.a_B')
  for (const id of ['', 'a b', 'x'.repeat(65), 'é', '{"level":60}', 'a\tb']) {
    const answered = (await app.inject({ url: '/health/live', headers: { 'x-request-id': id } })).headers['x-request-id']
    t.match(answered, /^[\w-]{36}$/, id)
  }
  t.ok(logs.map(it => JSON.parse(it)).some(it => it.requestId === 'Trace-1.a_B'))
})
