import { CompactSign, decodeJwt } from 'jose'
import t, { type Test } from 'tap'
import { thrownBy } from '@frontdesk/test-kit/thrown'
import { Keys } from '../../src/keys/keys.js'
import type { Revocations } from '../../src/revocations/revocations.js'
import { tokenChecked } from '../../src/telemetry/events.js'
import { TokenCache } from '@frontdesk/service-kit/access-token/token-cache'
import { createVerifier, hasDuplicates } from '../../src/tokens/verify.js'
import { parseAuthorization } from '../../src/tokens/authorization.js'
import { tokenInvalid } from '../../src/problems/access.js'
import { makeKey, startIssuer, type Mint } from '../support/issuer.js'

const log = { info () {}, warn () {} }

/** A verifier with the keys of an issuer, a clock that is set by hand, and what is revoked: ids of tokens. */
async function verifier (t: Test) {
  const issuer = await startIssuer(t)
  const keys = new Keys({ url: issuer.url, log })
  t.teardown(() => keys.stop())
  await keys.start()
  const state = { time: Date.now(), revoked: new Set<string>(), fingerprints: [] as unknown[], lookups: 0 }
  const counted = Object.assign(Object.create(keys) as Keys, { onChange: keys.onChange.bind(keys), find: async (header: Parameters<Keys['find']>[0]) => { state.lookups++; return await keys.find(header) } })
  const fingerprints = ({ jti }: { jti: string }) => new Uint32Array([jti.length])
  const check: Revocations['check'] = ({ jti }, made) => { state.fingerprints.push(made); if (state.revoked.has(jti)) throw tokenInvalid('Access was revoked.', { reason: 'revoked' }) }
  const settings = { issuer: issuer.url, audience: issuer.audience, algorithms: ['ES256'] }
  return { issuer, keys, state, settings, counted, verify: createVerifier(settings, counted, { check, fingerprints }, () => state.time) }
}

const refusal = async (call: () => unknown) => await Promise.resolve().then(call).then(() => undefined, (error: unknown) => error)
const refused = { kind: { name: 'token-invalid' }, message: 'The access token is malformed, expired, or for another service. Sign in again.' }

t.test('a remembered token is refused from the moment that it is revoked', async t => {
  const { issuer, state, verify } = await verifier(t)
  const token = await issuer.mint({ claims: { jti: 'one' } })
  t.match(await verify(token), { jti: 'one' })
  const remembered = verify(token)
  t.notOk(remembered instanceof Promise, 'it is remembered')
  t.match(remembered, { jti: 'one' })
  t.same(state.fingerprints, [new Uint32Array([3]), new Uint32Array([3])])
  t.equal(state.fingerprints[0], state.fingerprints[1], 'its fingerprints are remembered, too')
  state.revoked.add('one')
  t.match(thrownBy(() => verify(token)), { reason: 'revoked' })
  state.revoked.clear()
  t.match(verify(token), { jti: 'one' })
  t.equal(state.lookups, 1)
})

t.test('each check is counted with its outcome', async t => {
  const { issuer, settings, counted, verify } = await verifier(t)
  const outcomes: string[] = []
  t.teardown(tokenChecked.subscribe(({ outcome }) => outcomes.push(outcome)))
  const token = await issuer.mint()
  await verify(token)
  verify(token)
  await refusal(() => verify(`${token}x`))
  await refusal(() => createVerifier(settings, new Keys({ url: issuer.url, log }), null)(token))
  await refusal(() => createVerifier({ ...settings, algorithms: ['RS256'] }, counted, null)(token))
  t.same(outcomes, ['accepted', 'remembered', 'refused', 'unavailable', 'refused'])
})

t.test('a token that is revoked before it is seen is refused, and checked again each time', async t => {
  const { issuer, state, verify } = await verifier(t)
  state.revoked.add('one')
  const token = await issuer.mint({ claims: { jti: 'one' } })
  for (let i = 0; i < 2; i++) t.match(await refusal(() => verify(token)), { reason: 'revoked' })
})

t.test('a token is remembered until its end and a minute, and verified again then', async t => {
  const { issuer, state, verify } = await verifier(t)
  const exp = Math.floor(Date.now() / 1_000) + 600
  const token = await issuer.mint({ claims: { exp } })
  await verify(token)
  state.time = (exp + 60) * 1_000 - 1
  t.notOk(verify(token) instanceof Promise)
  state.time = (exp + 60) * 1_000
  t.match(await refusal(() => verify(token)), { ...refused, reason: /"exp" claim timestamp check failed/ })
  t.equal(state.lookups, 2)
})

t.test('without a revocation feed, tokens are not checked for revocation', async t => {
  const { issuer, settings, counted } = await verifier(t)
  const verify = createVerifier(settings, counted, null)
  const token = await issuer.mint()
  t.match(await verify(token), { sub: 'person-1' })
  t.match(verify(token), { sub: 'person-1' })
})

t.test('what an old key verified is forgotten when the keys change', async t => {
  const { issuer, keys, state, verify } = await verifier(t)
  const token = await issuer.mint()
  await verify(token)
  issuer.state.keys = [issuer.key.jwk, (await makeKey('next')).jwk]
  await keys.start()
  t.match(await verify(token), { sub: 'person-1' })
  t.equal(state.lookups, 2)
})

t.test('the log has the reason why a token is refused; the client gets only the fact', async t => {
  const { issuer, state, verify } = await verifier(t)
  const now = Math.floor(state.time / 1_000)
  state.time = now * 1_000
  const rows: Array<[wrong: Mint, reason: RegExp]> = [
    [{ claims: { iss: 'https://other.example' } }, /unexpected "iss"/], [{ claims: { aud: 'http://other.example' } }, /unexpected "aud"/], [{ header: { typ: 'JWT' } }, /unexpected "typ"/],
    [{ claims: { exp: now - 61 } }, /"exp"/], [{ claims: { nbf: now + 62 } }, /"nbf"/], [{ claims: { iat: now + 62 } }, /^iat is in the future$/],
    [{ claims: { client_id: undefined } }, /^a claim is missing or of the wrong type$/], [{ claims: { scope: 1 } }, /^a claim is missing or of the wrong type$/],
    [{ key: await makeKey('another') }, /no applicable key/]
  ]
  for (const [wrong, reason] of rows) {
    t.match(
      await refusal(async () => await verify(await issuer.mint(wrong))),
      { ...refused, reason, cause: { message: reason } },
      String(reason)
    )
  }
  for (const right of [{ claims: { iat: now + 60 } }, { claims: { exp: now - 58 } }, { claims: { nbf: now + 58 } }]) t.match(await verify(await issuer.mint(right)), { sub: 'person-1' }, JSON.stringify(right))
  t.match(await verify(await issuer.mint({ claims: { scope: undefined } })), { scope: '' }, 'a token without scope allows nothing')
})

t.test('a token with a repeated claim is refused, though its signature is right', async t => {
  const { issuer: { key: { jwk, privateKey }, mint }, verify } = await verifier(t)
  const claims = JSON.stringify(decodeJwt(await mint()))
  const sign = async (text: string) => await new CompactSign(Buffer.from(text)).setProtectedHeader({ alg: 'ES256', kid: jwk.kid!, typ: 'at+jwt' }).sign(privateKey)
  t.match(await verify(await sign(claims)), { sub: 'person-1' })
  t.match(await refusal(async () => await verify(await sign(claims.replace('{', '{"sub":"x",')))), { ...refused, reason: 'a claim is repeated' })
})

t.test('while the keys are not known it is not the token that is refused', async t => {
  const { settings, issuer } = await verifier(t)
  const verify = createVerifier(settings, new Keys({ url: issuer.url, log }), null)
  t.match(await refusal(async () => await verify(await issuer.mint())), { kind: { name: 'keys-unavailable' } })
})

t.test('members that are there twice are found in any object, however they are written', async t => {
  for (const json of ['{"a":1,"a":2}', '{"a":1,"\\u0061" :2}', '{"x":{"a":1,"a":2}}', '[{"a":1},{"b":[{"a":1,"a":1}]}]', '{"a\\"":1,"a\\"":2}']) t.equal(hasDuplicates(json), true, json)
  for (const json of ['{}', '1', 'null', '"a"', '{"a":{"a":{"a":null}}}', '{"a":"b:","b":"\\"c\\":"}', '[{"a":1},{"a":1}]', '["a","a"]', '["a",":"]', '{"a":["b","b"]}']) t.equal(hasDuplicates(json), false, json)
})

t.test('the access token of the Authorization header (RFC 6750 §2.1)', async t => {
  const token = 'aZ09-._~+/=='
  for (const value of [`Bearer ${token}`, `bearer   ${token}`, `BEARER ${token}`]) t.equal(parseAuthorization([value]), token)
  t.equal(parseAuthorization([`Bearer ${'x'.repeat(8_192)}`])?.length, 8_192)
  for (const values of [[], [''], ['Basic eA=='], ['Bearerx y'], ['xBearer y']]) t.equal(parseAuthorization(values), null, values.join())
  for (const value of ['Bearer', 'Bearer ', 'Bearer bearer a', 'Bearer a b', 'Bearer\ta', 'Bearer a=b', 'Bearer é', 'Bearer a,b']) {
    t.match(thrownBy(() => parseAuthorization([value])), { kind: { name: 'token-invalid' }, message: 'The Authorization header must be Bearer, a space and the token.', reason: 'malformed header' }, value)
  }
  t.match(thrownBy(() => parseAuthorization([`Bearer ${'x'.repeat(8_193)}`])), { kind: { name: 'token-invalid' }, message: 'The token is longer than 8192 bytes.', reason: 'too long' })
  for (const values of [['Bearer a', 'Bearer a'], ['Basic x', 'Bearer a']]) {
    t.match(thrownBy(() => parseAuthorization(values)), { kind: { name: 'authorization-repeated' }, message: 'Send one Authorization header.' })
  }
})

t.test('the token cache has a bound: the least recently used token is evicted', async t => {
  const cache = new TokenCache<{ token: string }>(2)
  const keep = (token: string) => cache.set(token, { token })
  for (const token of ['a', 'b']) keep(token)
  t.match(cache.get('a'), { token: 'a' })
  t.match(cache.get('b'), { token: 'b' })
  keep('c')
  t.equal(cache.get('a'), undefined)
  t.match([cache.get('b'), cache.get('c')], [{ token: 'b' }, { token: 'c' }])
  cache.delete('b')
  t.equal(cache.get('b'), undefined)
  keep('d')
  t.match(cache.get('c'), { token: 'c' }, 'there was a place')
  const many = new TokenCache()
  for (let i = 0; i <= 10_000; i++) many.set(`${i}`, {})
  t.equal(many.get('0'), undefined)
  t.ok(many.get('1'))
})
