import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { hashOpaqueToken, randomOpaqueToken } from '../../src/sign-in/opaque-token.js'
import { build } from '../support/helper.js'
import { codeClient, exchangeForm, form, getCode, post } from '../support/code-flow.js'

export const onBothDatabases = true

type Changes = Record<string, string | undefined>
type Key = Parameters<SignJWT['sign']>[0]

const basic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}` })

/** The app with a client of each way to authenticate, and a code of one of them. */
async function prepare (t: Test, method: string) {
  const { app, stores } = await build(t)
  const [secret, second] = [randomOpaqueToken(), randomOpaqueToken()]
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwks = JSON.stringify({ keys: [await exportJWK(publicKey)] })
  await stores.clients.put(codeClient({ tokenEndpointAuthMethod: method, jwks: method === 'private_key_jwt' ? jwks : null }))
  for (const each of [secret, second]) await stores.clientSecrets.add({ clientId: 'app', hash: hashOpaqueToken(each), createdAt: new Date() })
  const code = await getCode(app)
  const exchange = async (changes: Changes, headers = {}) => await post(app, '/token', exchangeForm(code, changes), headers)
  return { app, stores, secret, second, privateKey, exchange }
}

const WAYS: Record<string, (secret: string, key: Key) => Promise<[changes: Changes, headers: Record<string, string>]>> = {
  none: async () => [{}, {}],
  client_secret_basic: async secret => [{}, basic('app', secret)],
  client_secret_post: async secret => [{ client_secret: secret }, {}],
  private_key_jwt: async (_, key) => [{ client_id: undefined, ...await assertion(key) }, {}]
}

for (const method of Object.keys(WAYS)) {
  t.test(`a client that is registered for ${method} proves what that needs; a secret by Basic and in the form alike (RFC 6749 §2.3)`, async t => {
    const { secret, privateKey, exchange } = await prepare(t, method)
    const isSecret = (name: string) => name.startsWith('client_secret_')
    const show = async (way: string, secret: string) => await exchange(...await WAYS[way]!(secret, privateKey))
    for (const way of Object.keys(WAYS).filter(way => way !== method && !(isSecret(way) && isSecret(method)))) {
      for (const it of isSecret(way) ? [secret, 'wrong'] : [secret]) {
        const response = await show(way, it)
        t.equal(response.statusCode, 401, way)
        t.equal(response.json().error, 'invalid_client', way)
        t.equal(response.headers['www-authenticate'] !== undefined, way === 'client_secret_basic', 'a challenge for clients that try Basic')
        const isTold = response.json().error_description === `This client is registered for the authentication method ${method}. Use that one.`
        t.equal(isTold, isSecret(way) && it === secret, `${way}: the right method is named only after the right secret`)
      }
    }
    for (const way of isSecret(method) ? ['client_secret_basic', 'client_secret_post'] : [method]) {
      if (isSecret(way)) t.equal((await show(way, 'wrong')).json().error, 'invalid_client')
      t.not((await show(way, secret)).json().error, 'invalid_client', `${way}: authenticated`)
    }
  })
}

t.test('parameters of client authentication without a value are omitted (RFC 6749 §3.2)', async t => {
  const { exchange } = await prepare(t, 'none')
  const rows: Array<[name: string, changes: Changes, headers: Record<string, string>]> = [
    ['client_secret=', { client_secret: '' }, {}],
    ['client_assertion=', { client_assertion: '', client_assertion_type: '' }, {}],
    ['Basic id:', { client_id: undefined }, basic('app', '')],
    ['Basic id: and the same client_id', {}, basic('app', '')],
    ['Basic id: and client_secret=', { client_secret: '' }, basic('app', '')]
  ]
  for (const [name, changes, headers] of rows) t.equal((await exchange({ code: 'x', ...changes }, headers)).json().error, 'invalid_grant', name)
  for (const headers of [basic('other', ''), basic('', '')]) t.equal((await exchange({ code: 'x' }, headers)).json().error, 'invalid_client', 'another client')

  const confidential = await prepare(t, 'client_secret_basic')
  for (const [name, changes, headers] of rows) t.equal((await confidential.exchange({ code: 'x', ...changes }, headers)).json().error, 'invalid_client', name)
  t.equal((await confidential.exchange({ code: 'x', client_secret: confidential.secret }, basic('app', ''))).json().error, 'invalid_grant', 'the secret in the form')
  t.equal((await confidential.exchange({ code: 'x', client_secret: confidential.secret }, basic('other', ''))).json().error, 'invalid_client', 'two clients')
})

t.test('each of two secrets counts, in either way, until it is removed; a third there is not', async t => {
  for (const method of ['client_secret_basic', 'client_secret_post']) {
    const { stores, secret, second, exchange } = await prepare(t, method)
    const show = async (it: string) => method === 'client_secret_post' ? await exchange({ client_secret: it, code: 'x' }) : await exchange({ client_id: undefined, code: 'x' }, basic('app', it))
    for (const good of [secret, second]) t.equal((await show(good)).json().error, 'invalid_grant', 'authenticated')
    for (const bad of ['', 'x', `${secret} `, secret.toUpperCase(), hashOpaqueToken(secret)]) t.equal((await show(bad)).json().error, 'invalid_client', bad.slice(0, 3))
    t.equal(await stores.clientSecrets.add({ clientId: 'app', hash: 'x', createdAt: new Date() }), null)
    t.equal(await stores.clientSecrets.remove('app', 1), true)
    t.equal((await show(secret)).json().error, 'invalid_client')
    t.equal((await show(second)).json().error, 'invalid_grant')
    await stores.clients.setDisabled('app', new Date())
    t.equal((await show(second)).json().error, 'invalid_client', 'disabled')
  }
})

t.test('credentials that cannot be read, or two at once, are refused', async t => {
  const { secret, exchange } = await prepare(t, 'client_secret_basic')
  const rows: Array<[name: string, changes: Record<string, string | undefined>, headers: Record<string, string>, error: string]> = [
    ['Bearer', {}, { authorization: `Bearer ${secret}` }, 'invalid_client'],
    ['Basic without anything', {}, { authorization: 'Basic' }, 'invalid_client'],
    ['Basic that is not base64', {}, { authorization: 'Basic %%%' }, 'invalid_client'],
    ['Basic without a colon', {}, { authorization: `Basic ${btoa('app')}` }, 'invalid_client'],
    ['Basic with a broken escape', {}, { authorization: `Basic ${btoa('app:%zz')}` }, 'invalid_client'],
    ['Basic of another client than the form', { client_id: 'other' }, basic('app', secret), 'invalid_client'],
    ['Basic and a secret in the form', { client_secret: secret }, basic('app', secret), 'invalid_request']
  ]
  for (const [name, changes, headers, error] of rows) t.equal((await exchange(changes, headers)).json().error, error, name)
  t.equal((await exchange({ client_secret: secret }, basic('app', secret))).json().error_description,
    'The client authenticates in more than one way. Use one only: the Authorization header, client_secret or client_assertion.', 'RFC 6749 §2.3')
})

t.test('an assertion counts once, for its client, here and for its time (RFC 7523 §3)', async t => {
  const { stores, privateKey, exchange } = await prepare(t, 'private_key_jwt')
  const other = await generateKeyPair('ES256')
  const now = Math.floor(Date.now() / 1000)
  const show = async (claims: Record<string, unknown>, key = privateKey) => await exchange({ client_id: undefined, code: 'x', ...await assertion(key, claims) })
  const refused: Array<[name: string, claims: Record<string, unknown>]> = [
    ['another issuer', { iss: 'other' }], ['another subject', { sub: 'other' }], ['another audience', { aud: 'https://other.example' }], ['the audience with a slash', { aud: 'https://id.example/' }],
    ['no end', { exp: undefined }], ['ended', { exp: now - 31 }], ['good for more than an hour', { exp: now + 3700 }], ['not yet', { nbf: now + 60 }], ['no jti', { jti: undefined }]
  ]
  for (const [name, claims] of refused) t.equal((await show(claims)).json().error, 'invalid_client', name)
  t.equal((await show({}, other.privateKey)).json().error, 'invalid_client', 'another key')
  const unsigned = new UnsecuredJWT({ iss: 'app', sub: 'app', aud: 'https://id.example', exp: now + 60, jti: 'u' }).encode()
  const hmac = await new SignJWT({ iss: 'app', sub: 'app', aud: 'https://id.example', exp: now + 60, jti: 'h' }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode((await stores.clients.find('app'))!.jwks!))
  for (const text of ['', 'x', 'a.b.c', unsigned, hmac]) {
    t.equal((await exchange({ client_id: undefined, ...await assertion(privateKey), client_assertion: text })).json().error, 'invalid_client', text.slice(0, 20))
  }
  t.equal((await exchange({ ...await assertion(privateKey), client_assertion_type: 'x' })).json().error, 'invalid_client', 'another type')

  for (const aud of ['https://id.example', 'https://id.example/token', ['https://id.example'], ['https://id.example', 'https://id.example/token']]) {
    t.equal((await show({ aud })).json().error, 'invalid_grant', 'authenticated')
  }
  for (const aud of [['https://x.example', 'https://id.example'], ['https://id.example', 1], 'https://id.example/revoke', [], undefined]) {
    t.equal((await show({ aud })).json().error, 'invalid_client', `${aud}`)
  }
  const one = await assertion(privateKey)
  const responses = await Promise.all(Array.from({ length: 20 }, () => exchange({ client_id: undefined, code: 'x', ...one })))
  t.equal(responses.filter(it => it.json().error === 'invalid_grant').length, 1, 'of 20 at once one counts')
})

t.test('the audience of an assertion is the issuer or the endpoint that is called (RFC 7523 §3)', async t => {
  const { app, privateKey } = await prepare(t, 'private_key_jwt')
  for (const endpoint of ['revoke', 'introspect']) {
    const show = async (aud: string) => (await post(app, `/${endpoint}`, form({ token: 'x', ...await assertion(privateKey, { aud }) }))).statusCode
    t.equal(await show('https://id.example'), 200, endpoint)
    t.equal(await show(`https://id.example/${endpoint}`), 200, endpoint)
    t.equal(await show('https://id.example/token'), 401, endpoint)
  }
})

async function assertion (key: Key, claims: Record<string, unknown> = {}) {
  const exp = Math.floor(Date.now() / 1000) + 60
  // as: what is wrong with them is the matter of the test.
  const jwt = new SignJWT({ iss: 'app', sub: 'app', aud: 'https://id.example', exp, jti: randomUUID(), ...claims } as JWTPayload)
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await jwt.setProtectedHeader({ alg: 'ES256' }).sign(key)
  }
}
