import { decodeJwt } from 'jose'
import t from 'tap'
import { codeClient, codeQuery, exchangeForm, form, getCode, post, queryOf } from '../support/code-flow.js'
import { Browser, build, client, fragmentOf, query } from '../support/helper.js'

export const onBothDatabases = true

const { app, stores } = await build(t)
await stores.clients.put(codeClient({ implicit: 'allowed' }))
await stores.roles.add('editor', ['customer:write'])
await stores.roles.add('author', [])
const { id: ann } = (await stores.users.find('ann'))!
await stores.roles.assign(ann, ['editor', 'administrator', 'author'])

const exchange = async (code: string, on = app) => (await post(on, '/token', exchangeForm(code))).json()
const tokens = async (scope: string) => await exchange(await getCode(app, { scope }))
const refresh = async (token: string, changes: Record<string, string> = {}) =>
  (await post(app, '/token', form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: token, ...changes }))).json()
const userinfo = async (token: string, on = app) => (await on.inject({ url: '/userinfo', headers: { authorization: `Bearer ${token}` } })).json()
const rolesIn = (token: string) => decodeJwt(token).roles

t.test('the scope roles adds the roles to all tokens and /userinfo, without those that administer this server', async t => {
  const { access_token: accessToken, id_token: idToken, scope } = await tokens('openid roles')
  t.equal(scope, 'openid roles')
  for (const roles of [rolesIn(accessToken), rolesIn(idToken), (await userinfo(accessToken)).roles]) t.strictSame(roles, ['author', 'editor'])
  const without = await tokens('openid profile')
  for (const token of [without.access_token, without.id_token]) t.equal(rolesIn(token), undefined)
  t.match(await userinfo(without.access_token), { roles: undefined })
  t.strictSame(rolesIn((await tokens('roles')).access_token), ['author', 'editor'], 'without an ID token')
})

t.test('the consent page describes the scope', async t => {
  const page = await new Browser(app).get(`/consent?${codeQuery({ scope: 'openid roles' })}`)
  t.match(page.body, 'See your roles')
})

t.test('they come from the authorization endpoint, too, and with the parameter claims', async t => {
  const ask = async (type: string, scope = 'openid roles') =>
    fragmentOf(await new Browser(app).allow(query({ response_type: type, scope, nonce: 'n' })))
  const both = await ask('id_token token')
  for (const token of [both.access_token, both.id_token, (await ask('id_token')).id_token, (await ask('token', 'roles')).access_token]) {
    t.strictSame(rolesIn(token!), ['author', 'editor'])
  }
  const claims = JSON.stringify({ userinfo: { roles: null, groups: null } })
  const single = await exchange(queryOf(await new Browser(app).allow(codeQuery({ scope: 'openid', claims }))).code!)
  t.equal(rolesIn(single.access_token), undefined)
  t.match(await userinfo(single.access_token), { roles: ['author', 'editor'], groups: undefined })
})

t.test('a refreshed token has the roles at the time of the refresh', async t => {
  const before = await tokens('openid roles offline_access')
  await stores.roles.assign(ann, ['administrator'])
  t.teardown(() => stores.roles.assign(ann, ['editor', 'administrator', 'author']))
  t.equal((await app.inject({ url: '/userinfo', headers: { authorization: `Bearer ${before.access_token}` } })).statusCode, 401, 'revoked')
  const after = await refresh(before.refresh_token)
  for (const token of [after.access_token, after.id_token]) t.strictSame(rolesIn(token), [], 'no roles, but the claim')
  t.equal(rolesIn((await refresh(after.refresh_token, { scope: 'openid' })).access_token), undefined)
})

t.test('no live token lists a role that the user has lost, whenever that happened', async t => {
  const live = async (token: string) => (await app.inject({ url: '/userinfo', headers: { authorization: `Bearer ${token}` } })).statusCode === 200
  for (let round = 0; round < 8; round++) {
    await stores.roles.assign(ann, ['editor', 'author'])
    const code = await getCode(app, { scope: 'openid roles' })
    const [{ access_token: token }] = await Promise.all([exchange(code), stores.roles.assign(ann, ['author'])])
    const roles = rolesIn(token)
    t.ok(!(await live(token)) || JSON.stringify(roles) === '["author"]', `${roles}`)
  }
  await stores.roles.assign(ann, ['editor', 'administrator', 'author'])
})

t.test('ROLES_CLAIM=groups names them groups', async t => {
  const { app, stores } = await build(t, { ROLES_CLAIM: 'groups' })
  await stores.clients.put(client({ id: 'app', implicit: 'off', grantTypes: ['authorization_code'] }))
  await stores.roles.add('editor', [])
  await stores.roles.assign((await stores.users.find('ann'))!.id, ['editor'])
  const { access_token: accessToken, id_token: idToken } = await exchange(await getCode(app, { scope: 'openid roles' }), app)
  for (const claims of [decodeJwt(accessToken), decodeJwt(idToken), await userinfo(accessToken, app)]) {
    t.match(claims, { groups: ['editor'], roles: undefined })
  }
  const { claims_supported: claims } = (await app.inject('/.well-known/openid-configuration')).json()
  t.ok(claims.includes('groups') && !claims.includes('roles'))
})
