import { decodeJwt } from 'jose'
import t, { type Test } from 'tap'
import { loadConfig } from '../../src/config.js'
import { exchange } from '../../src/grants/exchange.js'
import { createInspect } from '../../src/grants/inspect.js'
import { issueTime, createTokenIssuer } from '../../src/tokens/issue.js'
import { hashRefreshToken, makeRefreshToken, deriveSuccessor } from '../../src/grants/refresh-token-form.js'
import { openIdTokenSigner } from '../../src/keys/id-token-signer.js'
import { openKeyRing } from '../../src/keys/key-ring.js'
import type { OAuthError } from '../../src/oauth/errors.js'
import type { Parameters } from '../../src/oauth/parameters.js'
import { hashOpaqueToken } from '../../src/sign-in/opaque-token.js'
import { build, CALLBACK, client } from '../support/helper.js'
import { codeClient, getCode, VERIFIER } from '../support/code-flow.js'

export const onBothDatabases = true

const issuer = 'https://id.example'

/** What gives tokens, without HTTP. */
async function prepare (t: Test, grantTypes = ['authorization_code', 'refresh_token']) {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient({ grantTypes }))
  const config = loadConfig({ ISSUER: issuer })
  const keys = await openKeyRing(stores.signingKeys, config)
  const idTokens = await openIdTokenSigner(stores.idTokenKeys, config)
  const parts = { stores, tokens: createTokenIssuer({ keys, idTokens, profiles: stores.profiles, issuer, accessTokenTtl: 600, refreshTokenTtl: 5_000, refreshTokenIdleTtl: 1_000, rolesClaim: 'roles' }), server: { issuer, defaultAudience: 'https://api.example', adminAudience: undefined, mcpResources: [] } }
  const now = new Date()
  const ask = async (form: Parameters, { id = 'app', at = now } = {}) => await exchange(parts, { client: (await stores.clients.find(id))!, form, jkt: undefined, now: at })
  const refusal = async (form: Parameters, id = 'app', at = now) =>
    await ask(form, { id, at }).then(() => null, ({ error, message, facts }: OAuthError) => ({ error, message, facts }))
  const codeForm = async () => ({ grant_type: 'authorization_code', code: await getCode(app, { scope: 'a b' }), redirect_uri: CALLBACK, code_verifier: VERIFIER })
  return { stores, keys, now, ask, refusal, codeForm, endOf: async (id: string) => (await stores.revocations.after({ revokedAt: new Date(0), id: '' }, 10)).find(it => it.id === id)?.endsAt.getTime() }
}

const facts = { client: 'app' }

t.test('a grant has to be named, offered and registered (RFC 6749 §5.2)', async t => {
  const { refusal } = await prepare(t, ['authorization_code'])
  t.strictSame(await refusal({}), { error: 'invalid_request', message: 'grant_type is missing', facts })
  t.strictSame(await refusal({ grant_type: 'password' }), { error: 'unsupported_grant_type', message: 'grant_type is not supported', facts })
  t.strictSame(await refusal({ grant_type: 'refresh_token' }), { error: 'unauthorized_client', message: 'the client is not allowed to use refresh_token', facts })
})

t.test('a code gives an access token, and a refresh token where that is registered', async t => {
  for (const grantTypes of [['authorization_code'], ['authorization_code', 'refresh_token']]) {
    const { stores, ask, codeForm, now } = await prepare(t, grantTypes)
    const { response, userId } = await ask(await codeForm())
    t.equal(userId, (await stores.users.find('ann'))?.id)
    t.has(response, { token_type: 'Bearer', expires_in: 600, scope: 'a b' })
    t.has(decodeJwt(response.access_token), { sub: userId, gty: 'authorization_code', scope: 'a b', aud: 'https://api.example' })
    t.equal('refresh_token' in response, grantTypes.length === 2)
    if (response.refresh_token === undefined) continue
    const stored = await stores.refreshTokens.find(hashRefreshToken(response.refresh_token), now)
    t.has(stored, { expiresAt: new Date(now.getTime() + 1_000_000), endsAt: new Date(now.getTime() + 5_000_000) })
  }
})

t.test('a grant is kept until the last of its tokens has expired', async t => {
  for (const [grantTypes, seconds] of [[['authorization_code'], 3_600], [['authorization_code', 'refresh_token'], 5_600]] as const) {
    const { stores, ask, codeForm, now } = await prepare(t, [...grantTypes])
    await ask(await codeForm())
    const sweep = async (seconds: number) => await stores.removeExpired('grant', new Date(now.getTime() + seconds * 1_000))
    if (seconds === 5_600) t.equal(await sweep(seconds - 1), 0)
    t.equal(await sweep(seconds + 1), 1)
  }
})

t.test('a code that does not fit is refused, and a second use ends what the first gave', async t => {
  const { ask, refusal, codeForm, endOf, now } = await prepare(t)
  const form = await codeForm()
  t.strictSame(await refusal({ ...form, code: undefined }), { error: 'invalid_request', message: 'code is missing', facts: {} })
  const unknown = { error: 'invalid_grant', message: 'the code is unknown, expired or revoked, or belongs to another client, callback, verifier or key', facts }
  for (const change of [{ code: 'x' }, { redirect_uri: 'https://other.example' }, { code_verifier: 'w'.repeat(43) }]) t.strictSame(await refusal({ ...form, ...change }), unknown)
  t.match(await refusal({ ...form, resource: 'https://other.example' }), { error: 'invalid_target', message: 'resource is not allowed for the client' })
  const { grant_id: grant } = decodeJwt((await ask({ ...form, resource: 'https://api.example' })).response.access_token)
  t.strictSame(await refusal({ ...form, code_verifier: 'w'.repeat(43) }), unknown)
  t.strictSame(await refusal(form), { error: 'invalid_grant', message: 'the code was used a second time: its grant is revoked', facts: { ...facts, grant } })
  t.ok(Math.abs((await endOf(String(grant)) ?? 0) - now.getTime() - 1_210_000) <= 11_000, 'for as long as the last access token, and ten minutes')
})

t.test('a refresh token gives the next one and at most what was granted; a reuse ends its family', async t => {
  const { ask, refusal, codeForm, endOf, now } = await prepare(t)
  const { response: first } = await ask(await codeForm())
  const form = { grant_type: 'refresh_token', refresh_token: first.refresh_token }
  t.strictSame(await refusal({ grant_type: 'refresh_token' }), { error: 'invalid_request', message: 'refresh_token is missing', facts: {} })
  t.match(await refusal({ ...form, scope: 'c' }), { error: 'invalid_scope' })
  t.match(await refusal({ ...form, resource: 'https://other.example' }), { error: 'invalid_target' })
  const { response: second, userId } = await ask({ ...form, scope: 'b', resource: 'https://api.example' })
  t.match(second.refresh_token, /^[\w-]{86}$/)
  t.has(decodeJwt(second.access_token), { sub: userId, scope: 'b', gty: 'refresh_token', grant_id: decodeJwt(first.access_token).grant_id })
  await ask({ ...form, refresh_token: second.refresh_token })
  const unknown = { error: 'invalid_grant', message: 'the refresh token is unknown, expired or revoked, or of another client or key, or its person is disabled', facts }
  t.strictSame(await refusal({ ...form, refresh_token: 'x'.repeat(86) }), unknown)
  const grant = String(decodeJwt(first.access_token).grant_id)
  t.strictSame(await refusal(form, 'app', new Date(now.getTime() + 10_000)), { error: 'invalid_grant', message: 'a refresh token was reused: its family is revoked', facts: { ...facts, grant } })
  t.ok(Math.abs((await endOf(grant) ?? 0) - now.getTime() - 1_210_000) <= 11_000, 'for as long as the last access token, and ten minutes')
})

t.test('a client that acts for itself is confidential and enabled (RFC 6749 §4.4)', async t => {
  const { stores, ask, refusal } = await prepare(t)
  const job = { id: 'job', callbacks: [], implicit: 'off' as const, grantTypes: ['client_credentials'], tokenEndpointAuthMethod: 'client_secret_basic', defaultScope: 'a b' }
  await stores.clients.put(client(job))
  await stores.clients.put(client({ ...job, id: 'public', tokenEndpointAuthMethod: 'none' }))
  const form = { grant_type: 'client_credentials' }
  const { response, userId } = await ask({ ...form, scope: 'a' }, { id: 'job' })
  t.equal(userId, null)
  t.notOk('refresh_token' in response)
  const claims = decodeJwt(response.access_token)
  t.has(claims, { sub: 'job', client_id: 'job', scope: 'a', gty: 'client_credentials', aud: 'https://api.example' })
  t.notOk('auth_time' in claims || 'grant_id' in claims)
  t.match(await refusal({ ...form, scope: 'c' }, 'job'), { error: 'invalid_scope' })
  t.strictSame(await refusal(form, 'public'), { error: 'unauthorized_client', message: 'the client does not authenticate', facts: { client: 'public' } })
  const remembered = (await stores.clients.find('job'))!
  await stores.clients.setDisabled('job', new Date())
  stores.clients.find = () => remembered
  t.strictSame(await refusal(form, 'job'), { error: 'invalid_client', message: 'the client was disabled or removed during the request', facts: { client: 'job' } })
})

t.test('a token is issued now, or a few seconds later where access ended just before', async t => {
  const [now, before, later] = [new Date(1_000), new Date(999), new Date(1_001)]
  t.strictSame(issueTime(now, new Date(60_000)), new Date(20_000), 'a second before the latest time at which access that ends now could end')
  for (const [notBefore, time] of [
    [null, now],
    [before, now],
    [now, now],
    [later, later]
  ] as const) { t.equal(issueTime(now, notBefore)?.getTime(), time.getTime()) }
})

t.test('all refresh tokens of a family begin alike; a successor is made of the token and a salt', async t => {
  const first = makeRefreshToken()
  const second = deriveSuccessor(first, 'salt')
  const third = deriveSuccessor(second, 'salt')
  for (const token of [first, second, third]) t.match(token, /^[\w-]{86}$/)
  t.equal(new Set([first, second, third].map(token => token.slice(43))).size, 3)
  t.same([second.slice(0, 43), third.slice(0, 43)], [first.slice(0, 43), first.slice(0, 43)])
  t.not(makeRefreshToken().slice(0, 43), first.slice(0, 43))
  t.equal(deriveSuccessor(first, 'salt'), second, 'with the same salt, the same')
  for (const other of [deriveSuccessor(first, 'other'), deriveSuccessor(makeRefreshToken(), 'salt')]) t.not(other.slice(43), second.slice(43))
  t.same(hashRefreshToken(first), { hash: hashOpaqueToken(first), familyHash: hashOpaqueToken(first.slice(0, 43)) })
})

t.test('a token is live until it has ended, was spent or was revoked (RFC 7662)', async t => {
  const { stores, keys, ask, codeForm, now } = await prepare(t)
  const inspect = createInspect({ stores, keys, issuer })
  const { response: { access_token: access, refresh_token: refresh = '' } } = await ask(await codeForm())
  t.match(await inspect(access, now), { access: { scope: 'a b', iss: issuer } })
  t.match(await inspect(refresh, now), { refresh: { scope: 'a b', clientId: 'app' } })
  for (const token of ['', 'x', 'a.b.c', `${access}x`, `${refresh}x`]) t.equal(await inspect(token, now), null, token.slice(0, 20))
  for (const token of [access, refresh]) t.equal(await inspect(token, new Date(now.getTime() + 5_000_000)), null, 'ended')
  const next = (await ask({ grant_type: 'refresh_token', refresh_token: refresh })).response
  t.equal(await inspect(refresh, now), null, 'spent')
  await stores.revocations.add({ id: String(decodeJwt(access).jti), revokedAt: now, endsAt: now })
  t.equal(await inspect(access, now), null, 'revoked by itself')
  t.ok(await inspect(next.access_token, now))
  await stores.revocations.add({ id: String(decodeJwt(access).grant_id), revokedAt: now, endsAt: now })
  for (const token of [next.access_token, next.refresh_token ?? '']) t.equal(await inspect(token, now), null, 'revoked with its grant')
})
