import { decodeJwt } from 'jose'
import t from 'tap'
import { Browser, build, CALLBACK } from '../support/helper.js'
import { hashOpaqueToken } from '../../src/sign-in/opaque-token.js'
import { CHALLENGE, codeClient, codeQuery, exchangeForm, getCode, post, queryOf } from '../support/code-flow.js'

export const onBothDatabases = true

t.test('a code is exchanged for an access token (RFC 6749 §4.1.3, RFC 7636 §4.6)', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient({ resources: ['https://other.example'] }))
  const response = await post(
    app,
    '/token',
    exchangeForm(await getCode(app, { scope: 'customer:read x "y"', resource: 'https://other.example' }))
  )
  t.equal(response.statusCode, 200)
  t.match(response.headers, { 'cache-control': 'no-store', 'content-type': /^application\/json/ })
  t.match(response.json(), { token_type: 'Bearer', expires_in: 600, scope: 'customer:read x' })
  const claims = decodeJwt(response.json().access_token)
  const ann = await stores.users.find('ann')
  t.match(claims, {
    iss: 'https://id.example',
    sub: ann?.id,
    aud: 'https://other.example',
    client_id: 'app',
    scope: 'customer:read x',
    gty: 'authorization_code'
  })
  t.ok(claims.auth_time)
  t.match(claims.grant_id, /^[\w-]{36}$/, 'by which all tokens of one grant can be revoked')
  t.not(claims.grant_id, claims.jti)
})

t.test('a code counts for who asked for it alone, and every refusal leaves it as it was', async t => {
  const { app, stores } = await build(t)
  const other = 'https://app.example/other'
  await stores.clients.put(codeClient({ callbacks: [CALLBACK, other] }))
  await stores.clients.put(codeClient({ id: 'thief', callbacks: [CALLBACK] }))
  const code = await getCode(app)
  const rows: Array<[name: string, changes: Record<string, string | undefined>, error: string]> = [
    ['wrong verifier', { code_verifier: 'w'.repeat(43) }, 'invalid_grant'],
    ['the challenge as verifier', { code_verifier: CHALLENGE }, 'invalid_grant'],
    ['verifier too short', { code_verifier: 'v'.repeat(42) }, 'invalid_grant'],
    ['verifier too long', { code_verifier: 'v'.repeat(129) }, 'invalid_grant'],
    ['verifier with other characters', { code_verifier: `${'v'.repeat(42)}+` }, 'invalid_grant'],
    ['verifier missing', { code_verifier: undefined }, 'invalid_request'],
    ['wrong client', { client_id: 'thief' }, 'invalid_grant'],
    ['unknown client', { client_id: 'nobody' }, 'invalid_client'],
    ['no client', { client_id: undefined }, 'invalid_client'],
    ['wrong callback', { redirect_uri: other }, 'invalid_grant'],
    ['callback with another slash', { redirect_uri: `${CALLBACK}/` }, 'invalid_grant'],
    ['callback missing although the request named it', { redirect_uri: undefined }, 'invalid_grant'],
    ['another code', { code: 'x'.repeat(43) }, 'invalid_grant'],
    ['code with NUL', { code: 'a\0' }, 'invalid_request'],
    ['code missing', { code: undefined }, 'invalid_request'],
    ['another resource', { resource: 'https://other.example' }, 'invalid_target'],
    ['grant_type missing', { grant_type: undefined }, 'invalid_request'],
    ['grant_type unknown', { grant_type: 'password' }, 'unsupported_grant_type']
  ]
  for (const [name, changes, error] of rows) {
    const response = await post(app, '/token', exchangeForm(code, changes))
    t.equal(response.statusCode, error === 'invalid_client' ? 401 : 400, name)
    t.equal(response.json().error, error, name)
    t.same(Object.keys(response.json()), ['error', 'error_description'], name)
    t.equal(response.headers['cache-control'], 'no-store', name)
  }
  const described = async (payload: string) => (await post(app, '/token', payload)).json().error_description
  for (const name of ['code_verifier', 'code', 'grant_type']) {
    t.equal(await described(exchangeForm(code, { [name]: undefined })), `The parameter ${name} is missing.`)
  }
  t.equal(await described(`${exchangeForm(code)}&code=${code}`), 'The parameter code is repeated.')
  t.equal(
    await described(`${exchangeForm(code)}&x%22=1&x%22=2`),
    'The request is missing a parameter, repeats one or has an invalid value.',
    'nothing that the request held is said'
  )
  t.equal((await post(app, '/token', exchangeForm(code))).statusCode, 200, 'none of them spent it')
})

t.test('where the request left the callback out, the exchange may too (RFC 6749 §4.1.3)', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient())
  const left = async () => await getCode(app, { redirect_uri: undefined })
  t.equal((await post(app, '/token', exchangeForm(await left(), { redirect_uri: undefined }))).statusCode, 200)
  t.equal((await post(app, '/token', exchangeForm(await left()))).statusCode, 200)
  t.equal((await post(app, '/token', exchangeForm(await left(), { redirect_uri: 'https://app.example/x' }))).statusCode, 400)
})

t.test('a code lasts a minute', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient())
  const exchange = {
    hash: hashOpaqueToken(await getCode(app)),
    clientId: 'app',
    codeChallenge: CHALLENGE,
    redirectUri: CALLBACK,
    audience: undefined
  }
  const yields = { refreshToken: null, grantEndsAt: new Date(), tokensEndAt: new Date() }
  t.equal(await stores.codes.exchange(exchange, yields, new Date(Date.now() + 62_000)), null)
  t.match(await stores.codes.exchange(exchange, yields, new Date(Date.now() + 50_000)), { scope: 'customer:read' })
})

t.test('of 100 exchanges of one code at once exactly one gives tokens', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient())
  const code = await getCode(app)
  const responses = await Promise.all(Array.from({ length: 100 }, () => post(app, '/token', exchangeForm(code))))
  t.equal(responses.filter(({ statusCode }) => statusCode === 200).length, 1)
  // A slow machine may have no connection for all of them in time.
  t.equal(responses.filter(({ statusCode }) => [400, 503].includes(statusCode)).length, 99)
})

t.test('a second use of a code revokes what the first gave (RFC 6749 §4.1.2)', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient())
  await stores.clients.put(codeClient({ id: 'thief', callbacks: [CALLBACK] }))
  const before = new Date()
  const code = await getCode(app)
  const { grant_id: grant } = decodeJwt((await post(app, '/token', exchangeForm(code))).json().access_token)
  t.equal((await post(app, '/token', exchangeForm(code, { client_id: 'thief' }))).json().error, 'invalid_grant')
  t.equal((await post(app, '/token', exchangeForm(code, { code_verifier: 'w'.repeat(43) }))).json().error, 'invalid_grant')
  t.equal(await stores.revocations.has([String(grant)]), false, 'another client cannot revoke it, nor can a thief of the code alone')
  for (let use = 2; use < 4; use++) t.equal((await post(app, '/token', exchangeForm(code))).json().error, 'invalid_grant')
  t.equal(await stores.revocations.has(['x', String(grant)]), true)
  t.match((await stores.revocations.after({ revokedAt: before, id: '' }, 10)).map(({ id }) => id), [grant])
  t.same(await stores.revocations.after({ revokedAt: new Date(Date.now() + 1000), id: '' }, 10), [])
})

t.test('a person who was disabled after Allow gets no token', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient())
  const code = await getCode(app)
  await stores.users.setDisabled('ann', new Date())
  t.equal((await post(app, '/token', exchangeForm(code))).json().error, 'invalid_grant')
})

t.test('of 20 posts of one consent form at once one gives a code', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient())
  const browser = new Browser(app)
  await browser.allow(codeQuery())
  const asked = codeQuery({ prompt: 'consent' })
  const transaction = await browser.consent(asked)
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => browser.post(`/consent?${asked}`, { transaction, decision: 'allow' }))
  )
  t.equal(responses.filter(it => it.statusCode === 303 && queryOf(it).code !== undefined).length, 1)
})
