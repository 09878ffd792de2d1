import { revocationGroups, type RevocationEntry } from '@frontdesk/schemas/revocations'
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import t, { type Test } from 'tap'
// What it adds to Fastify's types.
import type {} from '../../src/plugins/audit.js'
import { hashOpaqueToken } from '../../src/sign-in/opaque-token.js'
import { openStores } from '../../src/stores/stores.js'
import type { NewClient } from '../../src/stores/clients/client-row.js'
import { codeClient, codeQuery, exchangeForm, form, post, queryOf } from '../support/code-flow.js'
import { askForCodes, decide, deviceClient, enter, poll } from '../support/device-flow.js'
import { Browser, build, fragmentOf, query } from '../support/helper.js'
import { longTimeouts, temporaryDatabase } from '../support/database.js'

export const onBothDatabases = true

/** Ann, and three apps that know her by a pseudonym, two of them by the same one. */
async function prepare (t: Test, env: Record<string, string> = {}) {
  const built = await build(t, env)
  const { app, stores } = built
  const pairwise = (id: string, sectorIdentifier: string, changes: Partial<NewClient> = {}) =>
    stores.clients.put(codeClient({ id, sectorIdentifier, implicit: 'allowed', postLogoutRedirectUris: ['https://app.example/'], ...changes }))
  await pairwise('shop', 'shop.example')
  await pairwise('shop-2', 'shop.example')
  await pairwise('news', 'news.example')
  await stores.clients.put(codeClient())
  const ann = (await stores.users.find('ann'))!.id
  const signIn = async (id: string, browser = new Browser(app), scope = 'openid') => {
    const search = codeQuery({ client_id: id, scope, prompt: 'consent' })
    const transaction = await browser.consent(search)
    const signedIn = browser.cookies.size > 1
    const fields = { transaction, decision: 'allow', ...signedIn ? {} : { username: 'ann', password: 'correct horse' } }
    const code = queryOf(await browser.post(`/consent?${search}`, fields)).code!
    return (await post(app, '/token', exchangeForm(code, { client_id: id }))).json()
  }
  const userinfo = async (token: string) => await app.inject({ url: '/userinfo', headers: { authorization: `Bearer ${token}` } })
  const refresh = async (id: string, token: string) =>
    (await post(app, '/token', form({ grant_type: 'refresh_token', client_id: id, refresh_token: token }))).json()
  return { ...built, ann, signIn, userinfo, refresh }
}

const subOf = (token: string) => decodeJwt(token).sub!

t.test('apps of one sector know a person by one sub, others by another, in every token and answer (OpenID Connect Core §8.1)', async t => {
  const { app, stores, ann, signIn, userinfo, refresh } = await prepare(t)
  const tokens = new Map<string, { access_token: string, id_token: string, refresh_token: string }>()
  for (const id of ['shop', 'shop-2', 'news', 'app']) tokens.set(id, await signIn(id))
  const subs = Object.fromEntries([...tokens].map(([id, { id_token: idToken }]) => [id, subOf(idToken)]))
  t.equal(subs.app, ann)
  t.equal(subs.shop, subs['shop-2'])
  t.equal(new Set(Object.values(subs)).size, 3)
  t.match(subs.shop, /^[\w-]{43}$/)
  for (const [id, { access_token: accessToken, refresh_token: refreshToken }] of tokens) {
    const next = await refresh(id, refreshToken)
    const told = [subOf(accessToken), (await userinfo(accessToken)).json().sub, subOf(next.access_token), subOf(next.id_token)]
    t.strictSame(new Set(told), new Set([subs[id]]), id)
  }
  const implicit = fragmentOf(await new Browser(app).allow(query({ client_id: 'shop', response_type: 'id_token token', scope: 'openid', nonce: 'n' })))
  t.strictSame([subOf(implicit.access_token!), subOf(implicit.id_token!)], [subs.shop, subs.shop])
  t.equal((await userinfo(implicit.access_token!)).json().sub, subs.shop)
  await stores.clients.put(deviceClient({ sectorIdentifier: 'shop.example' }))
  const codes = await askForCodes(app, { scope: 'openid' })
  const browser = new Browser(app)
  await decide(browser, codes.user_code, 'allow', await enter(browser, codes.user_code))
  t.equal(subOf((await poll(app, codes.device_code)).json().id_token), subs.shop)
})

t.test('introspection tells a client the sub that it knows; the audit trail has the id of the person', async t => {
  const { app, stores, ann, signIn } = await prepare(t)
  const { access_token: access, refresh_token: refreshToken } = await signIn('shop')
  await stores.clients.change('shop', { tokenEndpointAuthMethod: 'client_secret_post' })
  await stores.clientSecrets.add({ clientId: 'shop', hash: hashOpaqueToken('secret'), createdAt: new Date() })
  const ask = async (url: string, token: string) => (await post(app, url, form({ token, client_id: 'shop', client_secret: 'secret' }))).json()
  t.match(await ask('/introspect', access), { active: true, sub: subOf(access) })
  t.match(await ask('/introspect', refreshToken), { active: true, sub: subOf(access) })
  await ask('/revoke', access)
  await app.auditTrail.flush()
  t.match(await stores.audit.list({ event: 'revocation' }, 1), [{ userId: ann, clientId: 'shop' }])
})

t.test('an app names the person by its sub: id_token_hint, the claim sub, and sign-out without a question', async t => {
  const { app, signIn } = await prepare(t)
  const browser = new Browser(app)
  const { id_token: hint } = await signIn('shop', browser)
  const { id_token: foreign } = await signIn('news', browser)
  const silent = async (changes: Record<string, string>) =>
    queryOf(await browser.get(`/consent?${codeQuery({ client_id: 'shop', scope: 'openid', prompt: 'none', ...changes })}`))
  const naming = (sub: string) => ({ claims: JSON.stringify({ id_token: { sub: { value: sub } } }) })
  t.ok((await silent({ id_token_hint: hint })).code)
  t.ok((await silent(naming(subOf(hint)))).code)
  t.equal((await silent({ id_token_hint: foreign })).error, 'invalid_request')
  t.equal((await silent(naming(subOf(foreign)))).error, 'login_required')
  const end = await browser.get(`/end-session?${form({ id_token_hint: hint, post_logout_redirect_uri: 'https://app.example/' })}`)
  t.match(end, { statusCode: 303, headers: { location: 'https://app.example/' } })
})

t.test('what ends the access of a person ends the tokens of every sector, also at resource servers', async t => {
  const { app, stores, ann, signIn, userinfo } = await prepare(t)
  const revoked = async (token: string) => {
    const { revoked: entries } = (await app.inject('/revocations')).json() as { revoked: RevocationEntry[] }
    // as: an access token.
    const groups = revocationGroups(decodeJwt(token) as { sub: string, client_id: string })
    return entries.some(({ id, before = 0 }) => groups.includes(id) && decodeJwt(token).iat! < before)
  }
  const [shop, shop2, news, publicApp] = [await signIn('shop'), await signIn('shop-2'), await signIn('news'), await signIn('app')]
  await stores.authorizedApps.remove(ann, 'shop')
  t.ok(await revoked(shop.access_token))
  for (const other of [shop2, news]) t.notOk(await revoked(other.access_token))
  t.equal((await userinfo(shop.access_token)).statusCode, 401)
  t.equal((await userinfo(shop2.access_token)).statusCode, 200, 'the same sub at another app')
  await stores.users.endAccess(ann)
  for (const { access_token: token } of [shop2, news, publicApp]) {
    t.ok(await revoked(token))
    t.equal((await userinfo(token)).statusCode, 401)
  }
})

t.test('an app that moves to another sector loses its access; one that stays keeps it', async t => {
  const { stores, signIn, userinfo, refresh } = await prepare(t)
  const [shop, news] = [await signIn('shop'), await signIn('news')]
  await stores.clients.change('shop', { sectorIdentifier: 'shop.example', name: 'The shop' })
  t.equal((await userinfo(shop.access_token)).statusCode, 200)
  await stores.clients.change('shop', { sectorIdentifier: 'news.example' })
  t.equal((await userinfo(shop.access_token)).statusCode, 401)
  t.equal((await refresh('shop', shop.refresh_token)).error, 'invalid_grant')
  t.equal((await userinfo(news.access_token)).statusCode, 200)
  t.equal(subOf((await signIn('shop')).id_token), subOf(news.id_token))
  await stores.clients.put(codeClient({ id: 'news' }))
  t.equal((await userinfo(news.access_token)).statusCode, 401, 'public from now on')
})

t.test('a sub outlives the secrets of the server, and the app that it was made for', async t => {
  const { stores, signIn, databaseUrl } = await prepare(t, { SECRET_KEY: 'abcdefghijklmnopqrstuvwxyz0123456789' })
  const before = subOf((await signIn('news')).id_token)
  await stores.clients.remove('news')
  const secrets = { SECRET_KEY: 'zyxwvutsrqponmlkjihgfedcba9876543210', SECRET_KEY_PREVIOUS: 'abcdefghijklmnopqrstuvwxyz0123456789' }
  const later = await prepare(t, { DATABASE_URL: databaseUrl, ...secrets })
  t.equal(subOf((await later.signIn('news')).id_token), before)
})

t.test('one of 20 concurrent registrations makes the salt of a sector', async t => {
  const stores = await openStores(await temporaryDatabase(t), longTimeouts)
  t.teardown(() => stores.close())
  const ids = Array.from({ length: 20 }, (_, index) => `app-${index}`)
  await Promise.all(ids.map(id => stores.clients.add(codeClient({ id, sectorIdentifier: 'shop.example' }))))
  const salts = new Set((await stores.clients.list()).map(({ pairwiseSalt }) => pairwiseSalt))
  t.equal(salts.size, 1)
  t.match([...salts], [/^[\w-]{43}$/])
})

t.test('an app that is registered for it gets signed answers of /userinfo (OpenID Connect Core §5.3.2)', async t => {
  const { app, stores, signIn, userinfo } = await prepare(t)
  await stores.profiles.change('ann', { email: 'ann@example.com' })
  for (const alg of ['RS256', 'ES256', 'EdDSA', 'Ed25519'] as const) {
    await stores.clients.change('shop', { userinfoSignedResponseAlg: alg })
    const { access_token: token, id_token: idToken } = await signIn('shop', new Browser(app), 'openid email')
    const answer = await userinfo(token)
    t.match(answer, { statusCode: 200, headers: { 'content-type': /^application\/jwt/, 'cache-control': 'no-store' } })
    const keys = createLocalJWKSet((await app.inject('/.well-known/jwks.json')).json())
    const { payload } = await jwtVerify(answer.body, keys, { issuer: 'https://id.example', audience: 'shop', algorithms: [alg] })
    t.match(payload, { sub: subOf(idToken), email: 'ann@example.com', exp: undefined })
  }
  await stores.clients.change('shop', { userinfoSignedResponseAlg: null })
  t.match((await userinfo((await signIn('shop')).access_token)).headers, { 'content-type': /^application\/json/ })
})
