import t from 'tap'
import { hashOpaqueToken } from '../../../src/sign-in/opaque-token.js'
import { build } from '../../support/helper.js'
import { METADATA, pathOf, register, send } from '../../support/registration-flow.js'

t.test('an app reads, changes and removes its registration (RFC 7592 §2)', async t => {
  const { app, stores } = await build(t, { REGISTRATION: 'open' })
  const answer = await register(app, METADATA)
  const { client_id: id, registration_access_token: token, ...rest } = answer.json()
  const path = pathOf(answer)
  t.same((await send(app, 'GET', path, undefined, token)).json(), { client_id: id, registration_access_token: token, ...rest })
  const change = { client_id: id, ...METADATA, client_name: 'Notes 2', token_endpoint_auth_method: 'client_secret_post', grant_types: ['authorization_code', 'implicit'] }
  t.match((await send(app, 'PUT', path, { ...change, client_id: 'app' }, token)).json(), { error: 'invalid_client_metadata', error_description: /^client_id/ })
  t.match((await send(app, 'PUT', path, { ...change, client_secret: 'chosen' }, token)).json(), { error: 'invalid_client_metadata', error_description: /^client_secret/ })
  const changed = (await send(app, 'PUT', path, change, token)).json()
  t.match(changed, { client_id: id, client_name: 'Notes 2', client_secret: /^[\w-]{43}$/, grant_types: ['authorization_code'], registration_access_token: /^[\w-]{43}$/ })
  t.not(changed.registration_access_token, token)
  t.same((await send(app, 'GET', path, undefined, changed.registration_access_token)).json(), changed)
  t.equal((await send(app, 'GET', path, undefined, token)).statusCode, 401, 'the token before')
  const again = await send(app, 'PUT', path, { ...change, client_secret: changed.client_secret }, changed.registration_access_token)
  t.equal(again.json().client_secret, changed.client_secret, 'it keeps its secret')
  t.equal((await stores.clientSecrets.list(id)).length, 1)
  const last = again.json().registration_access_token
  t.equal((await send(app, 'DELETE', path, undefined, last)).statusCode, 204)
  t.equal(await stores.clients.find(id), null)
  t.equal((await send(app, 'DELETE', path, undefined, last)).statusCode, 401)
})

t.test('an app that has registered keys never falls back to a secret or to nothing', async t => {
  const { app } = await build(t, { REGISTRATION: 'open' })
  const keys = { ...METADATA, token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://app.example/jwks' }
  const answer = await register(app, keys)
  const { client_id: id, registration_access_token: token } = answer.json()
  for (const changes of [{ token_endpoint_auth_method: 'none' }, { token_endpoint_auth_method: 'client_secret_basic' }]) {
    const refused = await send(app, 'PUT', pathOf(answer), { client_id: id, ...keys, ...changes }, token)
    t.match(refused.json(), { error: 'invalid_client_metadata', error_description: /keeps private_key_jwt/ })
  }
  const jwks = { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }] }
  t.match((await send(app, 'PUT', pathOf(answer), { client_id: id, ...keys, jwks_uri: undefined, jwks }, token)).json(), { jwks })
})

t.test('a lost answer loses neither the registration nor its secret: the token before counts once more', async t => {
  const { app, stores } = await build(t, { REGISTRATION: 'open' })
  const answer = await register(app, METADATA)
  const { client_id: id, registration_access_token: token } = answer.json()
  const path = pathOf(answer)
  const put = async (token: string, name: string) =>
    (await send(app, 'PUT', path, { client_id: id, ...METADATA, client_name: name, token_endpoint_auth_method: 'client_secret_basic' }, token)).json()
  const lost = await put(token, 'One')
  t.match(await put(token, 'x'.repeat(101)), { error: 'invalid_client_metadata' }, 'a refused request does not use it up')
  const second = await put(token, 'Two')
  t.match(second, { client_name: 'Two', client_secret: lost.client_secret })
  for (const it of [token, lost.registration_access_token]) t.match(await put(it, 'Three'), { error: 'invalid_token' })
  const read = async (token: string) => (await send(app, 'GET', path, undefined, token)).json()
  await put(second.registration_access_token, 'Three')
  const third = await read(second.registration_access_token)
  t.match(third, { client_name: 'Three', client_secret: lost.client_secret })
  t.not(third.registration_access_token, second.registration_access_token)
  t.match(await read(second.registration_access_token), { error: 'invalid_token' })
  t.same(await read(third.registration_access_token), third)
  await stores.clientSecrets.remove(id, 1)
  await stores.clientSecrets.add({ clientId: id, hash: 'of an operator', createdAt: new Date() })
  t.notOk('client_secret' in await read(third.registration_access_token), 'a secret that an operator has made is not known here')
})

t.test('without its token, a registration is unknown (RFC 6750 §3)', async t => {
  const { app } = await build(t, { REGISTRATION: 'open' })
  const answer = await register(app, METADATA)
  const other = await register(app, METADATA)
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    for (const [path, token] of [
      [pathOf(answer), undefined], [pathOf(answer), 'x'], [pathOf(answer), other.json().registration_access_token], ['/register/app', 'x'], ['/register/a%00b', 'x']
    ]) {
      const refused = await send(app, method, path, method === 'PUT' ? METADATA : undefined, token)
      t.match({ status: refused.statusCode, ...refused.json() }, { status: 401, error: 'invalid_token' }, `${method} ${path} ${token}`)
      t.equal(refused.headers['www-authenticate'], `Bearer realm="registration"${token === undefined ? '' : ', error="invalid_token"'}`)
    }
  }
})

t.test('an initial access token may allow more grants, which the app keeps when it changes its registration', async t => {
  const { app, stores } = await build(t, { REGISTRATION: 'token' })
  const grants = ['authorization_code', 'implicit', 'client_credentials']
  await stores.registrationTokens.add({
    id: '1', hash: hashOpaqueToken('more'), usesLeft: 1, grantTypes: grants, allowedScope: null, createdAt: new Date(), expiresAt: new Date(Date.now() + 60_000)
  })
  const wanted = { ...METADATA, grant_types: grants, token_endpoint_auth_method: 'client_secret_basic' }
  const answer = await register(app, wanted, 'more')
  t.same(answer.json().grant_types.toSorted(), grants.toSorted())
  t.same(answer.json().response_types, ['token', 'code', 'id_token', 'id_token token'])
  const { client_id: id, registration_access_token: token } = answer.json()
  const changed = (await send(app, 'PUT', pathOf(answer), { client_id: id, ...wanted }, token)).json()
  t.same(changed.grant_types.toSorted(), grants.toSorted())
  const less = (await send(app, 'PUT', pathOf(answer), { client_id: id, ...METADATA }, changed.registration_access_token)).json()
  t.same(less.grant_types, ['authorization_code'])
  t.match(await stores.clients.find(id), { implicit: 'off' })
  const back = (await send(app, 'PUT', pathOf(answer), { client_id: id, ...wanted }, less.registration_access_token)).json()
  t.same(back.grant_types, ['authorization_code'], 'but not what it has given up')
})
