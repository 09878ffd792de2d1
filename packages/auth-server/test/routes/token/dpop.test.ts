import { makeDpopKey, signProof, type DpopKey, type ProofContent } from '@frontdesk/test-kit/dpop'
import { decodeJwt } from 'jose'
import t, { type Test } from 'tap'
// What it adds to Fastify's types.
import type {} from '../../../src/plugins/clock.js'
import { hashOpaqueToken } from '../../../src/sign-in/opaque-token.js'
import type { NewClient } from '../../../src/stores/clients/client-row.js'
import { codeClient, codeQuery, exchangeForm, form, getCode, post, queryOf } from '../../support/code-flow.js'
import { Browser, build, client, fragmentOf, query } from '../../support/helper.js'

export const onBothDatabases = true

/** The app, with a client of the code grant, and its key. */
async function prepare (t: Test, changes: Partial<NewClient> = {}) {
  const built = await build(t)
  await built.stores.clients.put(codeClient(changes))
  await built.stores.clientSecrets.add({ clientId: 'app', hash: hashOpaqueToken('secret'), createdAt: new Date() })
  const { clock } = built.app
  const start = clock.now().getTime()
  const time = { seconds: 0 }
  // Nonces change by the minute, however long a test takes.
  t.intercept(built.app, 'clock', { value: { ...clock, now: () => new Date(start + time.seconds * 1_000) } })
  const [key, other] = [await makeDpopKey(), await makeDpopKey('EdDSA')]
  const send = async (proof: string | undefined, payload: string, path = '/token') =>
    await post(built.app, path, payload, proof === undefined ? {} : { dpop: proof })
  const secret = changes.tokenEndpointAuthMethod === undefined ? {} : { client_secret: 'secret' }
  const nonce = String((await send('x', exchangeForm('none', secret))).headers['dpop-nonce'])
  const prove = async (key: DpopKey, changes: Partial<ProofContent> = {}) =>
    await signProof(key, { method: 'POST', url: 'https://id.example/token', nonce, ...changes })
  const refresh = async (key: DpopKey | null, token: string, more: Record<string, string> = {}) =>
    await send(key === null ? undefined : await prove(key), form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: token, ...more }))
  return { ...built, time, key, other, send, prove, refresh, nonce }
}

t.test('a code is exchanged for tokens that are bound to the key of the proof; a first proof learns the nonce (RFC 9449 §5, §8)', async t => {
  const { app, key, other, send, prove, refresh } = await prepare(t)
  const payload = exchangeForm(await getCode(app))
  const asked = await send(await prove(key, { nonce: undefined }), payload)
  t.match(asked.json(), { error: 'use_dpop_nonce', error_description: 'The DPoP proof needs the nonce in the header DPoP-Nonce.' })
  t.equal(asked.statusCode, 400)
  const answer = await send(await prove(key, { nonce: String(asked.headers['dpop-nonce']) }), payload)
  t.match(answer.json(), { token_type: 'DPoP', scope: 'customer:read' }, 'the refused proof did not spend the code')
  t.ok(answer.headers['dpop-nonce'])
  const { access_token: token, refresh_token: first } = answer.json()
  t.same(decodeJwt(token).cnf, { jkt: key.jkt })
  for (const wrong of [null, other]) t.match((await refresh(wrong, first)).json(), { error: 'invalid_grant' }, 'the refresh token of a public client, with another key or none')
  t.match((await refresh(other, first, { scope: 'customer:read' })).json(), { error: 'invalid_grant' })
  const next = (await refresh(key, first)).json()
  t.match(next, { token_type: 'DPoP', refresh_token: String })
  t.same(decodeJwt(next.access_token).cnf, { jkt: key.jkt })
  t.equal((await refresh(key, first)).json().refresh_token, next.refresh_token, 'at once, the same successor')
  for (const wrong of [null, other]) t.match((await refresh(wrong, first)).json(), { error: 'invalid_grant' }, 'with this key alone')
  t.match((await refresh(key, next.refresh_token)).json(), { token_type: 'DPoP' }, 'a refused key did not count as reuse')
})

t.test('without a proof everything is as before, also the nonce header', async t => {
  const { app, key, send, refresh } = await prepare(t)
  const answer = await send(undefined, exchangeForm(await getCode(app)))
  t.match(answer.json(), { token_type: 'Bearer' })
  t.notOk('dpop-nonce' in answer.headers)
  t.notOk('cnf' in decodeJwt(answer.json().access_token))
  const bound = (await refresh(key, answer.json().refresh_token)).json()
  t.equal(bound.token_type, 'DPoP', 'a client may begin to send proofs')
  t.match((await refresh(null, bound.refresh_token)).json(), { error: 'invalid_grant' }, 'and is bound to its key from then on')
})

t.test('tokens of a client that authenticates: refresh tokens are bound to the client, which may change its key; introspection tells the key', async t => {
  const { key, other, app, send, prove, refresh } = await prepare(t, { tokenEndpointAuthMethod: 'client_secret_post', grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'] })
  const secret = { client_secret: 'secret' }
  const { refresh_token: first } = (await send(await prove(key), exchangeForm(await getCode(app), secret))).json()
  const { access_token: token } = (await refresh(other, first, secret)).json()
  t.same(decodeJwt(token).cnf, { jkt: other.jkt })
  t.match((await send(undefined, form({ token, client_id: 'app', ...secret }), '/introspect')).json(), { active: true, token_type: 'DPoP', cnf: { jkt: other.jkt } })
  const own = (await send(await prove(key), form({ grant_type: 'client_credentials', client_id: 'app', ...secret }))).json()
  t.match([own.token_type, decodeJwt(own.access_token).cnf], ['DPoP', { jkt: key.jkt }])
})

t.test('what is no proof for this request is refused, and leaves the code usable (RFC 9449 §4.3)', async t => {
  const { app, key, nonce, send, prove } = await prepare(t)
  const payload = exchangeForm(await getCode(app))
  const now = Math.floor(Date.now() / 1_000)
  const privateJwk = { ...key.publicJwk, d: 'AAAA' }
  const another = await makeDpopKey()
  const base64url = (header: object) => Buffer.from(JSON.stringify(header)).toString('base64url')
  const rows: Array<[name: string, proof: string | Partial<ProofContent>, sentence: string, error?: string]> = [
    ['no JWT', 'x', 'The DPoP proof is not a JWT.'],
    ['two proofs', `${await prove(key)},${await prove(key)}`, 'The request has more than one DPoP proof.'],
    ['longer than 4 KiB', { claims: { more: 'x'.repeat(4_096) } }, 'The DPoP proof is longer than 4096 characters.'],
    ['another typ', { header: { typ: 'JWT' } }, 'The typ of the DPoP proof must be dpop+jwt.'],
    ['another alg', (await prove(key)).replace(/^[^.]*/, base64url({ typ: 'dpop+jwt', alg: 'PS256', jwk: key.publicJwk })), 'The alg of the DPoP proof must be ES256, EdDSA, Ed25519.'],
    ...Object.entries({
      'no key': undefined,
      'a private key': privateJwk,
      'a symmetric key': { kty: 'oct', k: 'AAAA' },
      'a key that is none': { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }
    }).map(([name, jwk]): typeof rows[number] => [name, { header: { jwk } }, 'The jwk of the DPoP proof must be a public key that fits its alg.']),
    ['the key of another', { header: { jwk: another.publicJwk } }, 'The DPoP proof is not signed with the key in its jwk.'],
    ['no jti', { claims: { jti: undefined } }, 'The DPoP proof has no jti.'],
    ['an empty jti', { claims: { jti: '' } }, 'The DPoP proof has no jti.'],
    ['another method', { method: 'GET' }, 'The htm of the DPoP proof is not the method of the request.'],
    ...['https://id.example/par', 'https://evil.example/token', 'token'].map((url): typeof rows[number] =>
      [url, { url }, 'The htu of the DPoP proof is not the public address of the request.']),
    ['no iat', { claims: { iat: undefined } }, 'The DPoP proof has no iat.'],
    ['an iat that is none', { claims: { iat: 'now' } }, 'The claim iat of the DPoP proof is not valid now.'],
    ['too old', { claims: { iat: now - 310 } }, 'The DPoP proof is older than 300 seconds, by its iat and the clock of this server.'],
    ['from the future', { claims: { iat: now + 300 } }, 'The iat of the DPoP proof is in the future, by the clock of this server.'],
    ['expired', { claims: { exp: now - 300 } }, 'The DPoP proof has expired: its exp is past.'],
    ['not valid yet', { claims: { nbf: now + 300 } }, 'The claim nbf of the DPoP proof is not valid now.'],
    ...[undefined, 'A'.repeat(43), [nonce]].map((nonce): typeof rows[number] =>
      [`the nonce ${nonce}`, { claims: { nonce } }, 'The DPoP proof needs the nonce in the header DPoP-Nonce.', 'use_dpop_nonce'])
  ]
  for (const [name, proof, sentence, error = 'invalid_dpop_proof'] of rows) {
    const answer = await send(typeof proof === 'string' ? proof : await prove(key, proof), payload)
    t.same([answer.statusCode, answer.json()], [400, { error, error_description: sentence }], name)
    t.equal(answer.headers['dpop-nonce'], nonce)
  }
  t.match((await send(await prove(key, { url: 'HTTPS://ID.example:443/x/../token?query#fragment', claims: { iat: now + 50 } }), payload)).json(), { token_type: 'DPoP' }, 'the same address in other words')
})

t.test('100 requests with one proof: one gets tokens; nor later, after the clean-up (RFC 9449 §11.1)', async t => {
  const { app, stores, time, key, send, prove } = await prepare(t, { tokenEndpointAuthMethod: 'client_secret_post', grantTypes: ['client_credentials'] })
  const proof = await prove(key)
  const payload = form({ grant_type: 'client_credentials', client_id: 'app', client_secret: 'secret' })
  const answers = await Promise.all(Array.from({ length: 100 }, () => send(proof, payload)))
  t.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1)
  t.same(new Set(answers.map(it => it.json().error)), new Set([undefined, 'invalid_dpop_proof']))
  for (; time.seconds <= 400; time.seconds += 20) {
    await stores.removeExpired('spent id', app.clock.now())
    t.equal((await send(proof, payload)).statusCode, 400, `${time.seconds} s later`)
  }
})

t.test('a code that was asked for with dpop_jkt needs a proof of that key (RFC 9449 §10)', async t => {
  const { app, key, other, send, prove } = await prepare(t)
  const code = await getCode(app, { dpop_jkt: key.jkt })
  for (const proof of [undefined, await prove(other)]) t.match((await send(proof, exchangeForm(code))).json(), { error: 'invalid_grant' })
  t.match((await send(await prove(key), exchangeForm(code))).json(), { token_type: 'DPoP' })
  for (const wrong of ['short', 'A'.repeat(44)]) {
    t.match(queryOf(await new Browser(app).get(`/authorize?${codeQuery({ dpop_jkt: wrong })}`)), { error: 'invalid_request', error_description: 'The parameter dpop_jkt has an invalid value.' })
  }
})

t.test('a proof with a pushed request binds its code (RFC 9449 §10.1)', async t => {
  const { app, key, other, send, prove } = await prepare(t)
  const url = 'https://id.example/par'
  t.match((await send(await prove(key, { url, nonce: undefined }), codeQuery(), '/par')).json(), { error: 'use_dpop_nonce' })
  t.match((await send(await prove(key, { url }), codeQuery({ dpop_jkt: other.jkt }), '/par')).json(), {
    error: 'invalid_dpop_proof', error_description: 'The parameter dpop_jkt is not the key of the DPoP proof.'
  })
  for (const parameters of [{}, { dpop_jkt: key.jkt }]) {
    const { request_uri: reference } = (await send(await prove(key, { url }), codeQuery(parameters), '/par')).json()
    const answer = await new Browser(app).allow(new URLSearchParams({ client_id: 'app', request_uri: reference }).toString())
    const payload = exchangeForm(queryOf(answer).code!)
    t.match((await send(await prove(other), payload)).json(), { error: 'invalid_grant' })
    t.match((await send(await prove(key), payload)).json(), { token_type: 'DPoP' })
  }
})

t.test('a client that must bind its tokens gets none without a proof, and none from the authorization endpoint (RFC 9449 §5.2)', async t => {
  const { app, stores, key, send, prove } = await prepare(t, { dpopBoundAccessTokens: true })
  const payload = exchangeForm(await getCode(app))
  t.match((await send(undefined, payload)).json(), { error: 'invalid_dpop_proof', error_description: 'The client must send a DPoP proof.' })
  t.match((await send(await prove(key), payload)).json(), { token_type: 'DPoP' })
  await stores.clients.put(client({ implicit: 'allowed', dpopBoundAccessTokens: true }))
  for (const type of ['token', 'id_token token']) {
    t.match(fragmentOf(await new Browser(app).get(`/authorize?${query({ response_type: type, scope: 'openid', nonce: 'n' })}`)), { error: 'unauthorized_client' })
  }
})
