import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { createAuthenticate } from '../../src/client-auth/authenticate.js'
import type { Credentials } from '../../src/client-auth/client-auth.js'
import { createFetchedKeys } from '../../src/registration/fetched-keys.js'
import { hashOpaqueToken } from '../../src/sign-in/opaque-token.js'
import { openStores } from '../../src/stores/stores.js'
import { codeClient } from '../support/code-flow.js'
import { sqliteFile } from '../support/database.js'

const issuer = 'https://id.example'
const now = new Date('2030-01-01T00:00:00Z')
const seconds = now.getTime() / 1_000
const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

const credentials = (form: Credentials['form'], authorization?: string): Credentials => ({ form, authorization, address: '192.0.2.1', endpoint: '/token' })
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`

/** A client of each method, named after it, with the secret `s:1 é` where there is one, and what authenticates. */
async function prepare (t: Test) {
  const stores = await openStores(sqliteFile(t))
  t.teardown(() => stores.close())
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwks = JSON.stringify({ keys: [await exportJWK(publicKey)] })
  for (const method of ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt']) {
    await stores.clients.put(codeClient({ id: method, tokenEndpointAuthMethod: method, jwks: method === 'private_key_jwt' ? jwks : null }))
    if (method.startsWith('client_secret')) await stores.clientSecrets.add({ clientId: method, hash: hashOpaqueToken('s:1 é'), createdAt: now })
  }
  await stores.clients.put(codeClient({ id: 'keyless', tokenEndpointAuthMethod: 'private_key_jwt' }))
  const fetchedKeys = createFetchedKeys(async () => { throw new Error('nothing is fetched') }, async () => true)
  const authenticate = createAuthenticate({ stores, issuer, fetchedKeys, documentRefresh: { current: async it => it } })
  const sign = async (changes: Record<string, unknown> = {}, sub = 'private_key_jwt', key = privateKey) =>
    await new SignJWT({ iss: sub, sub, aud: issuer, exp: seconds + 60, jti: randomUUID(), ...changes }).setProtectedHeader({ alg: 'ES256' }).sign(key)
  /** The id of the client, or the error. */
  const ask = async (form: Credentials['form'], authorization?: string, endpoint: Credentials['endpoint'] = '/token') =>
    await authenticate({ ...credentials(form, authorization), endpoint }, now).then(
      ({ id }) => id,
      ({ error, message, facts }) => ({ error, message, facts })
    )
  return { stores, ask, sign, assert: async (assertion: string) => await ask({ client_assertion: assertion, client_assertion_type: TYPE }) }
}

const refused = (message: string, client?: string) => ({ error: 'invalid_client', message, facts: client === undefined ? {} : { client } })

t.test('a public client shows its id, in the form or by Basic without a secret', async t => {
  const { ask } = await prepare(t)
  t.equal(await ask({ client_id: 'none' }), 'none')
  t.equal(await ask({}, basic('none:')), 'none')
  t.equal(await ask({ client_id: 'none' }, basic('none:')), 'none')
  t.strictSame(await ask({}), refused('no client_id'))
  t.strictSame(await ask({ client_id: 'other' }), refused('client_id is not registered'))
  for (const method of ['client_secret_basic', 'client_secret_post', 'private_key_jwt']) t.strictSame(await ask({ client_id: method }), refused(`none instead of ${method}`, method))
})

t.test('a secret counts by Basic and in the form alike, form-encoded in Basic (RFC 6749 §2.3.1)', async t => {
  const { ask } = await prepare(t)
  for (const id of ['client_secret_basic', 'client_secret_post']) {
    for (const header of [basic(`${id}:s%3A1+%C3%A9`), basic(`${id}:s:1 %c3%a9`), `bAsIc   ${basic(`${id}:s%3A1+%C3%A9`).slice(6)}  `]) t.equal(await ask({}, header), id, header)
    t.equal(await ask({ client_id: id, client_secret: 's:1 é' }), id)
    t.equal(await ask({ client_id: id }, basic(`${id}:s%3A1+%C3%A9`)), id)
    t.equal(await ask({ client_id: id, client_secret: 's:1 é' }, basic(`${id}:`)), id)
    t.strictSame(await ask({}, basic(`${id}:other`)), refused('client_secret_basic failed', id))
    t.strictSame(await ask({ client_id: id, client_secret: 'other' }), refused('client_secret_post failed', id))
  }
  t.strictSame(await ask({ client_secret: 's:1 é' }), refused('no client_id'))
})

t.test('a client that uses another authentication method than registered is refused; the method is named only after the right secret', async t => {
  const { ask, assert, sign, stores } = await prepare(t)
  for (const id of ['none', 'private_key_jwt']) {
    await stores.clientSecrets.add({ clientId: id, hash: hashOpaqueToken('secret'), createdAt: now })
    t.match(await ask({}, basic(`${id}:secret`)), refused(`client_secret_basic instead of ${id}, with the right secret`, id))
    t.match(await ask({ client_id: id, client_secret: 'secret' }), refused(`client_secret_post instead of ${id}, with the right secret`, id))
    t.strictSame(await ask({}, basic(`${id}:other`)), refused('client_secret_basic failed', id))
  }
  t.strictSame(await assert(await sign({}, 'none')), refused('private_key_jwt instead of none', 'none'))
})

t.test('two methods, two clients, and a client that is disabled are refused', async t => {
  const { ask, sign, stores } = await prepare(t)
  const both = { error: 'invalid_request', message: 'more than one method of client authentication', facts: {} }
  const assertion = { client_assertion: await sign(), client_assertion_type: TYPE }
  t.strictSame(await ask({ client_id: 'client_secret_post', client_secret: 's:1 é' }, basic('client_secret_post:s:1')), both)
  t.strictSame(await ask(assertion, basic('private_key_jwt:x')), both)
  t.strictSame(await ask({ ...assertion, client_id: 'private_key_jwt', client_secret: 'x' }), both)
  t.strictSame(await ask({ client_id: 'other' }, basic('none:')), refused('two client_ids'))
  t.strictSame(await ask({ ...assertion, client_id: 'none' }), refused('two client_ids'))
  t.strictSame(await ask(assertion, basic('none:')), refused('two client_ids'))
  t.equal(await ask({ ...assertion, client_id: 'private_key_jwt' }), 'private_key_jwt')
  await stores.clients.setDisabled('none', now)
  t.strictSame(await ask({ client_id: 'none' }), refused('the client is disabled', 'none'))
})

t.test('an Authorization header that is not one of Basic is refused, whatever else there is', async t => {
  const { ask } = await prepare(t)
  for (const header of ['', 'Basic', 'Basic ', 'Bearer eA==', `x${basic('none:')}`, `${basic('none:')}!`, basic('none'), basic(':x'), basic(':none:'), basic('none:%zz'), basic('%:x'), basic('none:').replace('=', '==='), `Basic\t${btoa('none:')}`]) {
    t.strictSame(await ask({ client_id: 'none' }, header), refused('the Authorization header is not Basic'), header)
  }
  t.equal(await ask({ client_id: 'none' }, `${basic('none:')} `), 'none')
})

t.test('an assertion is single-use, and its audience is the issuer or the called endpoint, nothing else (RFC 7523 §3)', async t => {
  const { ask, assert, sign } = await prepare(t)
  const once = await sign()
  t.equal(await assert(once), 'private_key_jwt')
  t.strictSame(await assert(once), refused('private_key_jwt failed', 'private_key_jwt'))
  for (const endpoint of ['/token', '/revoke', '/introspect', '/device_authorization'] as const) {
    for (const aud of [issuer, `${issuer}${endpoint}`, [issuer, `${issuer}${endpoint}`]]) t.equal(await ask({ client_assertion: await sign({ aud }), client_assertion_type: TYPE }, undefined, endpoint), 'private_key_jwt')
    const other = endpoint === '/token' ? '/revoke' : '/token'
    t.match(await ask({ client_assertion: await sign({ aud: `${issuer}${other}` }), client_assertion_type: TYPE }, undefined, endpoint), refused('client_assertion: ERR_JWT_CLAIM_VALIDATION_FAILED', 'private_key_jwt'))
  }
  const push = async (aud: unknown) => await ask({ client_assertion: await sign({ aud }), client_assertion_type: TYPE }, undefined, '/par')
  const own = [issuer, `${issuer}/token`, `${issuer}/par`]
  for (const aud of [...own, own, own.slice(1)]) t.equal(await push(aud), 'private_key_jwt', `/par: ${aud} (RFC 9126 §2)`)
  for (const aud of [`${issuer}/revoke`, [...own, `${issuer}/revoke`]]) t.match(await push(aud), { error: 'invalid_client' }, `/par: ${aud}`)
  t.strictSame(await assert(await sign({ aud: [issuer, 'https://other.example'] })), refused('client_assertion has an audience other than the issuer and the endpoint', 'private_key_jwt'))
})

t.test('an assertion may be signed with any of the algorithms, and is noted until it can no longer be used', async t => {
  const { stores, assert } = await prepare(t)
  for (const alg of ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA', 'Ed25519']) {
    const { publicKey, privateKey } = await generateKeyPair(alg)
    await stores.clients.put(codeClient({ id: alg, tokenEndpointAuthMethod: 'private_key_jwt', jwks: JSON.stringify({ keys: [await exportJWK(publicKey)] }) }))
    const claims = { iss: alg, sub: alg, aud: issuer, exp: seconds + 60, jti: 'same' }
    const assertion = await new SignJWT(claims).setProtectedHeader({ alg }).sign(privateKey)
    t.equal(await assert(assertion), alg)
    t.match(await assert(assertion), { message: 'private_key_jwt failed' })
  }
  const { publicKey, privateKey } = await generateKeyPair('Ed25519')
  for (const [named, alg] of [['EdDSA', 'Ed25519'], ['Ed25519', 'EdDSA']] as const) {
    await stores.clients.put(codeClient({ id: named, tokenEndpointAuthMethod: 'private_key_jwt', jwks: JSON.stringify({ keys: [{ ...await exportJWK(publicKey), alg: named }] }) }))
    const claims = { iss: named, sub: named, aud: issuer, exp: seconds + 60, jti: alg }
    t.equal(await assert(await new SignJWT(claims).setProtectedHeader({ alg }).sign(privateKey)), named, `${alg} with a key for ${named} (RFC 9864)`)
  }
  t.equal(await stores.removeExpired('spent id', new Date((seconds + 89) * 1_000)), 0)
  t.equal(await stores.removeExpired('spent id', new Date((seconds + 90) * 1_000)), 8, 'each client has its own')
})

t.test('an assertion is refused with the reason in the log', async t => {
  const { ask, assert, sign } = await prepare(t)
  const id = 'private_key_jwt'
  for (const claims of [{ exp: seconds - 29 }, { exp: seconds + 3_600 }, { nbf: seconds + 30 }]) {
    t.equal(await assert(await sign(claims)), id, JSON.stringify(claims))
  }
  const long = refused('client_assertion is valid for too long, or has no jti', id)
  const invalid = refused('client_assertion: ERR_JWT_CLAIM_VALIDATION_FAILED', id)
  const rows: Array<[claims: Record<string, unknown>, refusal: object]> = [
    [{ exp: seconds + 3_601 }, long], [{ jti: 1 }, long], [{ jti: undefined }, invalid], [{ exp: undefined }, invalid], [{ iss: 'other' }, invalid], [{ nbf: seconds + 31 }, invalid],
    [{ exp: seconds - 30 }, refused('client_assertion: ERR_JWT_EXPIRED', id)]
  ]
  for (const [claims, refusal] of rows) t.strictSame(await assert(await sign(claims)), refusal, JSON.stringify(claims))
  const { privateKey } = await generateKeyPair('ES256')
  t.strictSame(await assert(await sign({}, id, privateKey)), refused('client_assertion: ERR_JWS_SIGNATURE_VERIFICATION_FAILED', id))
  t.strictSame(await assert(await sign({}, 'keyless')), refused('client_assertion: ERR_JWKS_NO_MATCHING_KEY', 'keyless'))
  t.match(await assert(new UnsecuredJWT({ sub: id, iss: id, aud: issuer, jti: 'x', exp: seconds + 60 }).encode()), refused('client_assertion: ERR_JOSE_ALG_NOT_ALLOWED', id))
  const unread = refused('client_assertion is not a JWT with a sub')
  for (const text of ['x', 'a.b.c', await sign({ sub: undefined }), await sign({ sub: 1 })]) t.strictSame(await assert(text), unread, text.slice(0, 20))
  t.strictSame(await ask({ client_assertion: ['x', 'x'], client_assertion_type: TYPE }), { error: 'invalid_request', message: 'client_assertion is repeated', facts: {} })
  for (const type of [undefined, 'x', `${TYPE}x`]) t.strictSame(await ask({ client_assertion: await sign(), client_assertion_type: type }), refused('client_assertion_type is not jwt-bearer'), `${type}`)
})
