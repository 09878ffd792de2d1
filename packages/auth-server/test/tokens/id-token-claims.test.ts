import { decodeJwt } from 'jose'
import t from 'tap'
import { codeClient, codeQuery, exchangeForm, form, getCode, post, queryOf } from '../support/code-flow.js'
import { Browser, build, fragmentOf, query } from '../support/helper.js'

export const onBothDatabases = true

const { app, stores } = await build(t)
const person = { name: 'Ann Example', givenName: 'Ann', familyName: 'Example', email: 'ann@example.com', emailVerified: true, locale: 'de-CH' }
await stores.profiles.change('ann', person)
await stores.clients.put(codeClient({ idTokenClaims: true, implicit: 'allowed' }))
await stores.clients.put(codeClient({ id: 'other' }))

/** What is not about the token itself. */
function claimsIn (token: string) {
  const { iss, sub, aud, iat, exp, auth_time: authTime, acr, amr, nonce, at_hash: atHash, ...claims } = decodeJwt(token)
  return claims
}
const exchange = async (code: string, client: string) => (await post(app, '/token', exchangeForm(code, { client_id: client }))).json()
const tokens = async (scope: string, client = 'app') => await exchange(await getCode(app, { client_id: client, scope }), client)
const refresh = async (token: string, changes: Record<string, string> = {}) =>
  (await post(app, '/token', form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: token, ...changes }))).json()
const userinfo = async (token: string) => (await app.inject({ url: '/userinfo', headers: { authorization: `Bearer ${token}` } })).json()

t.test('ID tokens of the code flow carry what /userinfo says, for an app that is registered so', async t => {
  const { id_token: idToken, access_token: accessToken } = await tokens('openid profile email')
  const { sub, ...claims } = await userinfo(accessToken)
  t.match(claims, { name: 'Ann Example', given_name: 'Ann', preferred_username: 'ann', email: 'ann@example.com', email_verified: true })
  t.strictSame(claimsIn(idToken), claims)
  t.strictSame(claimsIn((await tokens('openid profile email', 'other')).id_token), {}, 'no other app')
})

t.test('they carry claims of granted scopes only, also after a refresh', async t => {
  t.strictSame(claimsIn((await tokens('openid')).id_token), {})
  const both = await tokens('openid profile email')
  const less = await refresh(both.refresh_token, { scope: 'openid email' })
  t.strictSame(claimsIn(less.id_token), { email: 'ann@example.com', email_verified: true })
  await stores.profiles.change('ann', { name: 'Ann New' })
  t.match(claimsIn((await refresh(less.refresh_token)).id_token), { name: 'Ann New', email: 'ann@example.com' }, 'as they are now')
  await stores.profiles.change('ann', person)
  const single = JSON.stringify({ userinfo: { email: null }, id_token: { name: null } })
  const asked = queryOf(await new Browser(app).allow(codeQuery({ scope: 'openid', claims: single })))
  t.strictSame(claimsIn((await exchange(asked.code!, 'app')).id_token), { name: 'Ann Example' }, 'a claim for /userinfo goes there')
})

t.test('a scope that a role withholds has no claims', async t => {
  const before = await tokens('openid profile email')
  await stores.roles.add('staff', ['email'])
  t.teardown(() => stores.roles.remove('staff'))
  t.match(claimsIn((await refresh(before.refresh_token)).id_token), { name: 'Ann Example', email: undefined, email_verified: undefined })
})

t.test('with an access token from the authorization endpoint they stay at /userinfo (OpenID Connect Core §5.4)', async t => {
  const ask = async (type: string) =>
    fragmentOf(await new Browser(app).allow(query({ response_type: type, scope: 'openid profile email', nonce: 'n' }))).id_token!
  t.strictSame(claimsIn(await ask('id_token token')), {})
  t.match(claimsIn(await ask('id_token')), { name: 'Ann Example', email: 'ann@example.com' })
})
