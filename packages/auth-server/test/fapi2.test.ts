import { makeDpopKey, signProof } from '@frontdesk/test-kit/dpop'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
// What it adds to Fastify's types.
import type {} from '../src/plugins/clock.js'
import { codeClient, codeQuery, exchangeForm, form, post, queryOf } from './support/code-flow.js'
import { Browser, build, CALLBACK } from './support/helper.js'

const ISSUER = 'https://id.example'
const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** What an assertion is made with, where it is wrong. */
interface Wrong { alg?: string, claims?: Record<string, unknown> }

/** The app with a client of the profile, which signs its assertions and proofs. */
async function prepare (t: Test) {
  const built = await build(t)
  const pairs = new Map(await Promise.all(['ES256', 'PS256', 'EdDSA', 'Ed25519', 'RS256'].map(async alg => [alg, await generateKeyPair(alg)] as const)))
  const keys = await Promise.all([...pairs].map(async ([alg, { publicKey }]) => ({ ...await exportJWK(publicKey), kid: alg, alg })))
  await built.stores.clients.put(codeClient({
    tokenEndpointAuthMethod: 'private_key_jwt',
    requirePushedAuthorizationRequests: true,
    dpopBoundAccessTokens: true,
    profile: 'fapi2',
    idTokenSignedResponseAlg: 'ES256',
    jwks: JSON.stringify({ keys })
  }))
  const [key, now] = [await makeDpopKey(), Math.floor(Date.now() / 1_000)]
  const assert = async ({ alg = 'ES256', claims }: Wrong = {}) => ({
    client_assertion_type: TYPE,
    client_assertion: await new SignJWT({ iss: 'app', sub: 'app', aud: ISSUER, jti: randomUUID(), iat: now, exp: now + 600, ...claims })
      .setProtectedHeader({ alg, kid: alg }).sign(pairs.get(alg)!.privateKey)
  })
  let nonce: string | undefined
  const send = async (path: string, payload: string, isProven = true) => {
    const ask = async () => await post(built.app, path, payload, isProven
      ? { dpop: await signProof(key, { method: 'POST', url: `${ISSUER}${path}`, nonce }) }
      : {})
    nonce ??= String((await post(built.app, '/token', form({ grant_type: 'x', ...await assert() }), { dpop: 'x' })).headers['dpop-nonce'])
    return await ask()
  }
  /** Pushes a request with changes. */
  const push = async (changes: Record<string, string | undefined> = {}, wrong: Wrong = {}, isProven = true) =>
    await send('/par', `${codeQuery(changes)}&${form(await assert(wrong))}`, isProven)
  /** Where Ann is sent after she has allowed a pushed request. */
  const allow = async () => await new Browser(built.app).allow(form({ client_id: 'app', request_uri: (await push()).json().request_uri }))
  const exchange = async (code: string, isProven = true) => await send('/token', exchangeForm(code, await assert()), isProven)
  const refresh = async (token: string) => await send('/token', form({ grant_type: 'refresh_token', refresh_token: token, ...await assert() }))
  return { ...built, now, assert, send, push, allow, exchange, refresh }
}

t.test('an app of the profile signs a person in: pushed request, code, bound tokens', async t => {
  const { push, allow, exchange } = await prepare(t)
  const pushed = (await push()).json()
  t.ok(pushed.expires_in < 600, '§5.3.2.2 (12)')
  const answer = await allow()
  t.equal(answer.statusCode, 303, '§5.3.2.2 (10), (11): 303, never 307')
  t.match(queryOf(answer), { iss: ISSUER, code: /^[\w-]{43}$/ }, '§5.3.2.2 (7)')
  t.match((await exchange(queryOf(answer).code!)).json(), { token_type: 'DPoP', refresh_token: String }, '§5.3.2.1 (4)')
})

t.test('refresh tokens are not rotated (§5.3.2.1 (8)), also eight times at once', async t => {
  const { allow, exchange, refresh, stores } = await prepare(t)
  const { refresh_token: token } = (await exchange(queryOf(await allow()).code!)).json()
  const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(token)))
  t.same(new Set(answers.map(({ statusCode }) => statusCode)), new Set([200]))
  t.same(new Set(answers.map(it => 'refresh_token' in it.json())), new Set([false]))
  t.match((await refresh(token)).json(), { token_type: 'DPoP' })
  const [person] = await stores.users.list()
  await stores.authorizedApps.remove(person!.id, 'app')
  t.match((await refresh(token)).json(), { error: 'invalid_grant' }, 'until the access ends')
})

t.test('requests that the profile forbids are refused', async t => {
  const { app, push, assert, send } = await prepare(t)
  t.match(queryOf(await new Browser(app).get(`/authorize?${codeQuery()}`)), { error: 'invalid_request' }, '§5.3.2.2 (3): not pushed')
  t.match((await send('/par', codeQuery(), false)).json(), { error: 'invalid_client' }, '§5.3.2.2 (4): pushed without authentication')
  const rows: Array<[rule: string, changes: Record<string, string | undefined>, error: string]> = [
    ['§5.3.2.2 (1): another response type', { response_type: 'token' }, 'unauthorized_client'],
    ['§5.3.2.2 (5): no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['§5.3.2.2 (5): another method than S256', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['§5.3.2.2 (6): no redirect_uri', { redirect_uri: undefined }, 'invalid_request'],
    ['§5.3.2.2 (8): another callback', { redirect_uri: CALLBACK.replace('https', 'http') }, 'invalid_request']
  ]
  for (const [rule, changes, error] of rows) t.equal((await push(changes)).json().error, error, rule)
  t.match((await send('/token', form({ grant_type: 'password', username: 'ann', password: 'correct horse', ...await assert() }))).json(), { error: 'unsupported_grant_type' }, '§5.3.2.1 (2)')
  const preflight = await app.inject({ method: 'OPTIONS', url: '/authorize', headers: { origin: new URL(CALLBACK).origin, 'access-control-request-method': 'GET' } })
  t.notOk('access-control-allow-origin' in preflight.headers, '§5.3.2.2 (14)')
})

t.test('an assertion names the issuer alone, is signed with ES256, PS256, EdDSA or Ed25519, and not from the future (§5.3.2.1 (7), (12), §5.4.1)', async t => {
  const { push, now } = await prepare(t)
  const rows: Array<[name: string, wrong: Wrong, status: number]> = [
    ...['ES256', 'PS256', 'EdDSA', 'Ed25519'].map((alg): [string, Wrong, number] => [alg, { alg }, 201]),
    ['RS256', { alg: 'RS256' }, 401],
    ['the endpoint as audience', { claims: { aud: `${ISSUER}/par` } }, 401],
    ['the token endpoint as audience', { claims: { aud: `${ISSUER}/token` } }, 401],
    ['a list with the issuer', { claims: { aud: [ISSUER] } }, 401],
    ['iat in 10 s', { claims: { iat: now + 10 } }, 201],
    ['nbf in 10 s', { claims: { nbf: now + 10 } }, 201],
    ['iat in 300 s', { claims: { iat: now + 300, exp: now + 400 } }, 401],
    ['nbf in 300 s', { claims: { nbf: now + 300, exp: now + 400 } }, 401]
  ]
  for (const [name, wrong, status] of rows) t.equal((await push({}, wrong)).statusCode, status, name)
})

t.test('a code lives for 60 s, is bound to the key of the pushed request, and counts once (§5.3.2.1 (4), (10), (11), §5.3.2.2 (9))', async t => {
  const { app, allow, exchange, refresh } = await prepare(t)
  const { clock } = app
  const start = clock.now().getTime()
  let seconds = 0
  // However long the test takes.
  t.intercept(app, 'clock', { value: { ...clock, now: () => new Date(start + seconds * 1_000) } })
  const code = queryOf(await allow()).code!
  t.match((await exchange(code, false)).json(), { error: 'invalid_dpop_proof' })
  const { refresh_token: token } = (await exchange(code)).json()
  t.match((await exchange(code)).json(), { error: 'invalid_grant' })
  t.match((await refresh(token)).json(), { error: 'invalid_grant' }, 'the second use ended what the first gave')
  const late = queryOf(await allow()).code!
  seconds = 61
  t.match((await exchange(late)).json(), { error: 'invalid_grant' })
})
