import { decodeJwt } from 'jose'
import t from 'tap'
import { addSecret } from '../../src/admin/client-secrets.js'
import { checkToken } from '../../src/admin/tokens.js'
import { limitScope } from '../../src/oauth/scope.js'
import { codeClient, codeQuery, form, post, queryOf } from '../support/code-flow.js'
import { buildDirectory, ISSUER, reader, refresh, SCOPE, signIn } from '../support/directory.js'
import { Browser, CALLBACK, fragmentOf, query } from '../support/helper.js'

export const onBothDatabases = true

const claimsOf = ({ access_token: token }: Record<string, string>) => {
  const { aud, scope } = decodeJwt(token!)
  return { aud, scope }
}

t.test('a refresh token gets a token for the directory, which has no other scope; the API gets none with the directory\'s', async t => {
  const { app } = await buildDirectory(t)
  const first = await signIn(app, 'reader')
  t.strictSame(claimsOf(first), { aud: 'https://api.example', scope: 'openid customer:read' })
  t.equal(first.scope, 'openid customer:read')
  const second = await refresh(app, 'reader', first.refresh_token!, { resource: ISSUER })
  t.strictSame(claimsOf(second), { aud: ISSUER, scope: 'directory:read' })
  t.equal(second.id_token, undefined)
  const third = await refresh(app, 'reader', second.refresh_token!, { resource: `${ISSUER}/`, scope: 'directory:read customer:read' })
  t.strictSame(claimsOf(third), { aud: ISSUER, scope: 'directory:read' })
  const fourth = await refresh(app, 'reader', third.refresh_token!)
  t.strictSame(claimsOf(fourth), { aud: 'https://api.example', scope: 'openid customer:read' })
  const spent = fourth.refresh_token!
  t.equal((await refresh(app, 'reader', spent, { resource: ISSUER, scope: 'customer:read' })).error, 'invalid_scope')
  t.equal((await refresh(app, 'reader', spent, { scope: 'directory:read' })).error, 'invalid_scope', 'not for the API')
  t.type((await refresh(app, 'reader', spent)).access_token, 'string', 'a refused request does not spend the token')
})

t.test('only an app that an operator registered, and allowed the scope by name, gets it', async t => {
  const { app, stores } = await buildDirectory(t)
  const outcome = async (id: string) => {
    const { access_token: token, refresh_token: next = '', error } = await signIn(app, id)
    if (error !== undefined) return error
    t.equal(decodeJwt(token!).scope, 'openid customer:read', id)
    return (await refresh(app, id, next, { resource: ISSUER })).error
  }
  for (const [changes, expected] of [
    [{}, undefined],
    [{ allowedScope: null }, 'invalid_target'],
    [{ allowedScope: 'openid customer:read', defaultScope: 'openid' }, 'invalid_target'],
    [{ registeredBy: 'token' }, 'invalid_target'],
    [{ registeredBy: 'open' }, 'invalid_target']
  ] as const) {
    await stores.clients.put(reader({ id: 'other', ...changes }))
    t.equal(await outcome('other'), expected, JSON.stringify(changes))
  }
  const direct = async (id: string) => queryOf(await app.inject(`/authorize?${codeQuery({ client_id: id, resource: ISSUER, scope: SCOPE })}`)).error
  t.equal(await direct('app'), 'unauthorized_client')
  await stores.clients.put(codeClient())
  t.equal(await direct('app'), 'invalid_target', 'an app without the scope gets no token for the issuer')
  t.throws(() => checkToken({ uses: 1, days: 1, allowedScope: 'directory:read' }), /cannot have admin:read, admin:write, directory:read or customer:undo\./)
})

t.test('an app that loses the scope gets no more tokens for the directory, and keeps its other access', async t => {
  const { app, stores } = await buildDirectory(t)
  const { refresh_token: token = '' } = await signIn(app, 'reader')
  await stores.clients.change('reader', { allowedScope: 'openid customer:read', defaultScope: 'openid' })
  t.equal((await refresh(app, 'reader', token, { resource: ISSUER })).error, 'invalid_scope')
  t.strictSame(claimsOf(await refresh(app, 'reader', token)), { aud: 'https://api.example', scope: 'openid customer:read' })
})

t.test('a role can reserve the scope: other users cannot grant it', async t => {
  const { app, stores } = await buildDirectory(t)
  await stores.roles.add('clerk', ['directory:read'])
  const search = codeQuery({ client_id: 'reader', scope: SCOPE })
  const browser = new Browser(app)
  const { code = '' } = queryOf(await allowTwice(browser, search))
  const { refresh_token: token = '' } = (await post(app, '/token', form({
    grant_type: 'authorization_code', client_id: 'reader', code, redirect_uri: CALLBACK, code_verifier: 'v'.repeat(43)
  }))).json()
  t.equal((await refresh(app, 'reader', token, { resource: ISSUER })).error, 'invalid_target')
})

t.test('never by the implicit grant; a client on its own behalf names the issuer', async t => {
  const { app, stores } = await buildDirectory(t, { implicit: 'allowed' })
  const ask = query({ client_id: 'reader', resource: ISSUER, scope: 'directory:read' })
  t.equal(fragmentOf(await new Browser(app).get(`/authorize?${ask}`)).error, 'invalid_scope')
  await stores.clients.put(reader({
    id: 'robot', grantTypes: ['client_credentials'], callbacks: [], tokenEndpointAuthMethod: 'client_secret_post', allowedScope: 'customer:read directory:read', defaultScope: 'customer:read'
  }))
  const { secret } = await addSecret(stores, 'robot', { kind: 'shell', name: 'test' })
  const token = async (fields: Record<string, string>) =>
    (await post(app, '/token', form({ grant_type: 'client_credentials', client_id: 'robot', client_secret: secret, ...fields }))).json()
  t.strictSame(claimsOf(await token({ resource: ISSUER, scope: 'directory:read' })), { aud: ISSUER, scope: 'directory:read' })
  t.equal((await token({ scope: 'directory:read' })).error, 'invalid_scope', 'not for the API')
  await stores.clients.change('robot', { allowedScope: '* directory:read' })
  t.strictSame(claimsOf(await token({ resource: ISSUER, scope: 'directory:read' })), { aud: ISSUER, scope: 'directory:read' })
  t.equal((await token({ scope: 'anything' })).error, 'invalid_scope', 'on its own behalf, any scope is its default scope')
})

t.test('`*` beside named scopes allows any other scope, but no reserved one', async t => {
  const available = ['directory:read', 'admin:read', 'admin:write']
  const limit = (allowedScope: string) => limitScope(['anything', ...available], { allowedScope, registeredBy: 'operator' }, available)
  t.same(limit('* directory:read'), ['anything', 'directory:read'])
  t.same(limit('admin:read *'), ['anything', 'admin:read'])
  t.same(limit('*'), ['anything'])
})

/** Allows what the user can grant: the page is shown again without the rest. */
async function allowTwice (browser: Browser, search: string) {
  const first = await browser.allow(search)
  return first.statusCode === 200 ? await browser.allow(search, {}) : first
}
