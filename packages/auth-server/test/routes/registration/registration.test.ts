import type { InjectOptions } from 'fastify'
import t from 'tap'
import { hashOpaqueToken } from '../../../src/sign-in/opaque-token.js'
import { build, CALLBACK } from '../../support/helper.js'
import { METADATA, register } from '../../support/registration-flow.js'

t.test('it is off by default: no route, no metadata', async t => {
  const { app } = await build(t)
  t.equal((await register(app)).statusCode, 404)
  t.notOk('registration_endpoint' in (await app.inject('/.well-known/oauth-authorization-server')).json())
  t.notOk('registerClient' in JSON.parse((await app.inject('/openapi.json')).body))
})

t.test('open registration', async t => {
  const { app, stores } = await build(t, { REGISTRATION: 'open', REGISTRATION_RESOURCES: 'https://mcp.example, https://files.example/a' })
  let next = 0
  const elsewhere = (): InjectOptions => ({ remoteAddress: `198.51.100.${++next}` })

  await t.test('an app registers, and the answer says what was registered (RFC 7591 §3.2.1)', async t => {
    t.equal((await app.inject('/.well-known/oauth-authorization-server')).json().registration_endpoint, 'https://id.example/register')
    const answer = await register(app, { ...METADATA, scope: 'customer:read', contacts: ['x'], logo_uri: 'https://app.example/logo', jwks: { keys: [{ kty: 'EC' }] } }, undefined, elsewhere())
    t.equal(answer.statusCode, 201, answer.body)
    t.equal(answer.headers['cache-control'], 'no-store')
    const { client_id: id, client_id_issued_at: issuedAt, registration_access_token: token, ...rest } = answer.json()
    t.match(id, /^app-[0-9a-f]{32}$/)
    t.match(token, /^[\w-]{43}$/)
    t.ok(Math.abs(issuedAt - Date.now() / 1_000) < 60)
    t.same(rest, {
      registration_client_uri: `https://id.example/register/${id}`,
      client_name: 'Notes',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'customer:read',
      application_type: 'web',
      logo_uri: 'https://app.example/logo',
      subject_type: 'public',
      id_token_signed_response_alg: 'RS256',
      require_pushed_authorization_requests: false,
      dpop_bound_access_tokens: false
    })
    t.match(await stores.clients.find(id), {
      registeredBy: 'open', resources: ['https://files.example/a', 'https://mcp.example'], implicit: 'off', jwks: null, pkce: 'required', native: false
    })
  })

  await t.test('without metadata about them, it gets a secret, and is named by its host', async t => {
    const answer = await register(app, { redirect_uris: ['http://127.0.0.1/cb'] }, undefined, elsewhere())
    t.match(answer.json(), { client_secret: /^[\w-]{43}$/, client_secret_expires_at: 0, token_endpoint_auth_method: 'client_secret_basic', client_name: '127.0.0.1', application_type: 'native' })
    const { client_id: id, client_secret: secret } = answer.json()
    t.same(await stores.clientSecrets.has(id, hashOpaqueToken(secret)), true)
  })

  await t.test('grants that give tokens without a person, or to another device, are left out', async t => {
    const wanted = ['authorization_code', 'implicit', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code', 'refresh_token', 'x']
    const answer = await register(app, { ...METADATA, grant_types: wanted, response_types: ['code', 'token'] }, undefined, elsewhere())
    t.same(answer.json().grant_types, ['authorization_code', 'refresh_token'])
    t.same(answer.json().response_types, ['code'])
    t.match(await stores.clients.find(answer.json().client_id), { implicit: 'off', grantTypes: ['authorization_code', 'refresh_token'] })
  })

  await t.test('of the methods that it can use, the strongest is taken; none only if nothing else is named', async t => {
    const keys = { jwks_uri: 'https://app.example/jwks' }
    for (const [method, supported, more, taken] of [
      ['private_key_jwt', ['none', 'private_key_jwt'], keys, 'private_key_jwt'],
      ['none', ['none', 'client_secret_post', 'private_key_jwt'], keys, 'private_key_jwt'],
      ['none', ['client_secret_post', 'private_key_jwt'], {}, 'client_secret_post'],
      [undefined, ['none', 'client_secret_post', 'client_secret_basic'], {}, 'client_secret_post'],
      ['client_secret_basic', ['client_secret_post', 'client_secret_basic'], {}, 'client_secret_basic'],
      [undefined, ['none'], {}, 'none']
    ] as const) {
      const metadata = { ...METADATA, token_endpoint_auth_method: method, token_endpoint_auth_methods_supported: supported, ...more }
      const answer = await register(app, metadata, undefined, elsewhere())
      t.equal(answer.json().token_endpoint_auth_method, taken, JSON.stringify(supported))
      t.equal(answer.json().jwks_uri, taken === 'private_key_jwt' ? keys.jwks_uri : undefined)
      t.notOk('token_endpoint_auth_methods_supported' in answer.json(), 'only the choice is registered')
    }
  })

  await t.test('metadata that is refused', async t => {
    const rows: Array<[changes: unknown, error: string, words: RegExp]> = [
      [{ redirect_uris: undefined }, 'invalid_redirect_uri', /needs a callback/],
      [{ redirect_uris: 'https://app.example' }, 'invalid_redirect_uri', /^redirect_uris: Expected array/],
      [{ redirect_uris: [CALLBACK, 'http://app.example/cb'] }, 'invalid_redirect_uri', /^redirect_uris\[1\] \(http:\/\/app\.example\/cb\): The callback must be https/],
      [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri', /^redirect_uris\[0\]/],
      [{ redirect_uris: Array.from({ length: 21 }, (_, i) => `${CALLBACK}/${i}`) }, 'invalid_redirect_uri', /20/],
      [{ client_name: 'x'.repeat(101) }, 'invalid_client_metadata', /^client_name: The name is longer than 100/],
      [{ client_name: 'a\u202eb' }, 'invalid_client_metadata', /^client_name: .*control character/],
      [{ userinfo_signed_response_alg: 'HS256' }, 'invalid_client_metadata', /^userinfo_signed_response_alg: It must be .*ES256/],
      [{ client_name: { toString: 1 } }, 'invalid_client_metadata', /^client_name: Expected string/],
      [{ grant_types: ['client_credentials'] }, 'invalid_client_metadata', /^grant_types: .*only for authorization_code, refresh_token\.$/],
      [{ grant_types: ['refresh_token'] }, 'invalid_client_metadata', /needs authorization_code/],
      [{ token_endpoint_auth_method: 'tls_client_auth' }, 'invalid_client_metadata', /^token_endpoint_auth_method: /],
      [{ token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata', /^jwks: private_key_jwt needs a JWK Set/],
      [{ token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'http://app.example/jwks' }, 'invalid_client_metadata', /^jwks_uri: It must be https\.$/],
      [{ token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://127.0.0.1/jwks' }, 'invalid_client_metadata', /^jwks_uri: It must be at a public address/],
      [{ token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://app.example/jwks', jwks: { keys: [{ kty: 'EC' }] } }, 'invalid_client_metadata', /^jwks_uri: .*not both/],
      [{ token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'] }, 'invalid_client_metadata', /^token_endpoint_auth_methods_supported: None of these/],
      [{ token_endpoint_auth_methods_supported: ['none', 'tls_client_auth'] }, 'invalid_client_metadata', /^token_endpoint_auth_methods_supported: None of these/],
      [{ backchannel_logout_uri: 'https://app.example/#x' }, 'invalid_client_metadata', /^backchannel_logout_uri: .*fragment/],
      [{ backchannel_logout_uri: 'com.example.app:/logout' }, 'invalid_client_metadata', /^backchannel_logout_uri: .*must be an https URL/],
      [{ backchannel_logout_uri: 'http://app.example/logout' }, 'invalid_client_metadata', /^backchannel_logout_uri: .*must be https/],
      [{ backchannel_logout_uri: 'http://127.0.0.1/logout' }, 'invalid_client_metadata', /^backchannel_logout_uri: It must be https\.$/],
      [{ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [{ kty: 'RSA', d: 'x' }] } }, 'invalid_client_metadata', /must all be public/],
      [{ scope: 'a  b' }, 'invalid_client_metadata', /^scope: The default scope/],
      [{ application_type: 'desktop' }, 'invalid_client_metadata', /^application_type: /],
      [{ subject_type: 'other' }, 'invalid_client_metadata', /^subject_type: /],
      [{ id_token_signed_response_alg: 'none' }, 'invalid_client_metadata', /^id_token_signed_response_alg: /],
      [{ post_logout_redirect_uris: ['http://app.example'] }, 'invalid_client_metadata', /^post_logout_redirect_uris\[0\] \(http:\/\/app\.example\): The address after/]
    ]
    for (const [changes, error, words] of rows) {
      const answer = await register(app, { ...METADATA, ...changes as object })
      t.match({ status: answer.statusCode, ...answer.json() }, { status: 400, error, error_description: words }, JSON.stringify(changes))
    }
    for (const payload of [null, [], 'x', 1]) t.match((await register(app, payload)).json(), { error: 'invalid_client_metadata' })
    for (const [text, type, status, description] of [
      ['{', 'application/json', 400, 'The request is not valid JSON.'],
      ['{"__proto__": 1}', 'application/json', 400, 'The request is not valid JSON.'],
      [`{"redirect_uris":["https://app.example/cb"],"token_endpoint_auth_method":"private_key_jwt","jwks":{"keys":[{"kty":"EC","x":${'['.repeat(7_000)}${']'.repeat(7_000)}}]}}`, 'application/json', 400, 'The request is not valid JSON.'],
      ['redirect_uris=x', 'application/x-www-form-urlencoded', 415, 'The Content-Type must be application/json.'],
      [' '.repeat(2_000_000), 'application/json', 413, 'The request is too long.']
    ] as const) {
      const answer = await app.inject({ method: 'POST', url: '/register', payload: text, headers: { 'content-type': type } })
      t.same({ ...answer.json(), status: answer.statusCode }, { status, error: 'invalid_client_metadata', error_description: description })
    }
    const marked = { method: 'POST', remoteAddress: '203.0.113.9', url: '/register', payload: `\ufeff${JSON.stringify(METADATA)}`, headers: { 'content-type': 'application/json;charset=utf8' } } as const
    t.equal((await app.inject(marked)).statusCode, 201, 'a byte order mark is skipped')
  })

  await t.test('any page may register an app (CORS)', async t => {
    for (const [path, method] of [['/register', 'POST'], ['/register/x', 'PUT']] as const) {
      const headers = { origin: 'https://inspector.example', 'access-control-request-method': method, 'access-control-request-headers': 'content-type, authorization' }
      const { statusCode, headers: answered } = await app.inject({ method: 'OPTIONS', url: path, headers })
      t.match({ statusCode, answered }, {
        statusCode: 204, answered: { 'access-control-allow-origin': '*', 'access-control-allow-methods': new RegExp(method) }
      })
    }
    t.equal((await register(app, {}, undefined, { headers: { origin: 'https://a.example' } })).headers['access-control-allow-origin'], '*')
  })

  await t.test('an address that registers too many apps has to wait', async t => {
    const statuses = []
    for (let i = 0; i < 21; i++) statuses.push((await register(app)).statusCode)
    t.same(statuses, [...Array<number>(20).fill(201), 429])
    const refused = await register(app)
    t.match(refused.json(), { error: 'temporarily_unavailable' })
    t.ok(Number(refused.headers['retry-after']) > 3_000)
    t.equal((await register(app, METADATA, undefined, elsewhere())).statusCode, 201)
  })
})

t.test('with a token', async t => {
  const { app, stores } = await build(t, { REGISTRATION: 'token' })
  const addToken = async (name: string, grantTypes = ['authorization_code']) => {
    const times = { createdAt: new Date(), expiresAt: new Date(Date.now() + 60_000) }
    await stores.registrationTokens.add({ id: name, hash: hashOpaqueToken(name), usesLeft: 1, grantTypes, allowedScope: null, ...times })
  }

  await t.test('registration needs it, and spends it only if the metadata is right', async t => {
    await addToken('first')
    const refusals: Array<[token: string | undefined, sentence: string]> = [
      [undefined, 'The Authorization header has no token.'],
      ['other', 'The token is unknown, expired, used up, replaced, or for another app.']
    ]
    for (const [token, sentence] of refusals) {
      const { statusCode, body } = await register(app, METADATA, token)
      t.same([statusCode, JSON.parse(body)], [401, { error: 'invalid_token', error_description: sentence }])
    }
    t.equal((await register(app, {}, 'first')).statusCode, 400)
    const answer = await register(app, METADATA, 'first')
    t.equal(answer.statusCode, 201)
    t.match(await stores.clients.find(answer.json().client_id), { registeredBy: 'token' })
    t.equal((await register(app, METADATA, 'first')).statusCode, 401)
    await app.auditTrail.flush()
    t.match(await stores.audit.list({ event: 'registration' }, 10), [{ outcome: 'registered', clientId: answer.json().client_id, details: { name: 'Notes' } }])
  })
})
