import { decodeJwt } from 'jose'
import t from 'tap'
import { codeClient, codeQuery, form, post } from '../../support/code-flow.js'
import { Browser, build, CALLBACK, fragmentOf, query } from '../../support/helper.js'
import { addUser, API, buildAdmin, console, signIn, tokens } from '../../support/admin/admin.js'
import { endpoints } from '../../../src/routes/admin/index.js'

t.test('without ADMIN, there is no API, and no token for it', async t => {
  const built = await build(t)
  await built.stores.clients.put(console)
  await addUser(built, 'root', ['administrator'])
  t.equal((await built.app.inject('/admin/api/users')).statusCode, 404)
  const refused = await built.app.inject(`/authorize?${query({ client_id: console.id, response_type: 'code', resource: API, code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' })}`)
  t.match(refused.headers.location, /error=invalid_target/)
})

t.test('a token has admin scopes only for a built-in role that has them, an app that names them, and the resource of the API', async t => {
  const built = await buildAdmin(t)
  await built.add('root', 'administrator')
  await built.add('eve', 'auditor')
  await built.add('sam', 'support')
  const scopeOf = async (username: string, changes: Record<string, string | undefined> = {}) => {
    const token = await signIn(built, username, changes)
    return token === undefined ? undefined : decodeJwt(token).scope
  }
  const asked = { scope: 'openid admin:read admin:write' }
  t.equal(await scopeOf('root', asked), 'openid admin:read admin:write')
  t.equal(await scopeOf('sam', asked), 'openid admin:read admin:write')
  t.equal(await scopeOf('eve', asked), 'openid admin:read')
  t.equal(await scopeOf('ann', asked), 'openid')
  t.equal(await scopeOf('root', { ...asked, resource: undefined }), 'openid', 'not for the default audience')
  t.equal(decodeJwt((await signIn(built, 'root', asked))!).aud, API)

  const named = { allowedScope: 'admin:read openid', defaultScope: 'openid' }
  for (const [changes, scope] of [
    [{}, 'openid admin:read'],
    [{ allowedScope: null }, undefined],
    [{ registeredBy: 'token' }, undefined],
    [{ registeredBy: 'open' }, undefined],
    [{ allowedScope: 'openid' }, undefined]
  ] as const) {
    await built.stores.clients.put(codeClient({ id: 'other', registeredBy: 'operator', ...named, ...changes }))
    t.equal(await scopeOf('root', { ...asked, client_id: 'other' }), scope, JSON.stringify(changes))
  }
})

t.test('access of administrators ends with the token: there is no refresh token, and none by the implicit grant', async t => {
  const built = await buildAdmin(t)
  await built.add('root', 'administrator')
  const issued = await tokens(built, 'root', { scope: 'openid offline_access admin:read' })
  t.equal(issued.refresh_token, undefined)
  t.equal(decodeJwt(issued.access_token!).scope, 'openid admin:read')
  t.type((await tokens(built, 'root', { scope: 'openid', resource: undefined })).refresh_token, 'string', 'but for other scopes')
  await built.stores.clients.put({ ...console, id: 'page', implicit: 'allowed' })
  const asked = query({ client_id: 'page', redirect_uri: CALLBACK, resource: API, scope: 'admin:read' })
  const refused = await new Browser(built.app).get(`/authorize?${asked}`)
  t.equal(fragmentOf(refused).error, 'invalid_scope')
})

t.test('consent to administer is not remembered: an app gets no next token without a click on Allow', async t => {
  const built = await buildAdmin(t)
  await built.add('root', 'administrator')
  const silent = async (scope: string) => {
    const browser = new Browser(built.app)
    const changes = { client_id: console.id, resource: API, scope }
    t.match((await browser.allow(codeQuery(changes), { username: 'root', password: 'correct horse' })).headers.location, /[?&]code=/)
    return (await browser.get(`/consent?${codeQuery({ ...changes, prompt: 'none' })}`)).headers.location
  }
  t.match(await silent('openid'), /[?&]code=/)
  t.match(await silent('openid admin:read'), 'error=consent_required')
})

t.test('a client acts on its own behalf with the scopes that an operator named', async t => {
  const { stores, app, ask } = await buildAdmin(t)
  const { secret } = await withSecret(stores, 'robot', 'admin:read')
  const token = async (changes: Record<string, string> = {}) => (await post(app, '/token', form({
    grant_type: 'client_credentials', client_id: 'robot', client_secret: secret, resource: API, scope: 'admin:read', ...changes
  }))).json()
  const robot = ask((await token()).access_token)
  t.equal((await robot('GET', '/users')).statusCode, 200)
  t.equal((await robot('POST', '/roles', { name: 'clerk', scopes: 'customer:write' })).statusCode, 403)
  t.equal((await token({ resource: 'https://api.example' })).error, 'invalid_scope')
  t.equal((await token({ scope: 'admin:write' })).error, 'invalid_scope')
  await stores.clients.change('robot', { allowedScope: 'customer:read' })
  t.equal((await robot('GET', '/users')).statusCode, 401, 'what an operator takes back ends at once')
})

t.test('what an operator takes from the allowed scope of an app ends at once', async t => {
  const { add, as, stores } = await buildAdmin(t)
  await add('root', 'administrator')
  const root = await as('root')
  await stores.clients.change(console.id, { allowedScope: 'admin:read' })
  t.match((await root('POST', '/roles', { name: 'clerk', scopes: 'customer:write' })).headers, { 'www-authenticate': /error="insufficient_scope".*scope="admin:write"/ })
  t.equal((await root('GET', '/users')).statusCode, 200)
})

t.test('refused requests count for the rate limit of their caller, and no one else\'s', async t => {
  const { add, as } = await buildAdmin(t)
  await add('eve', 'auditor')
  await add('sam', 'support')
  const [eve, sam] = [await as('eve'), await as('sam')]
  const statuses = new Set<number>()
  for (let batch = 0; batch < 21; batch++) {
    const sent = await Promise.all(Array.from({ length: 30 }, async () => await sam('DELETE', '/users/nothing')))
    for (const { statusCode } of sent) statuses.add(statusCode)
  }
  t.strictSame([...statuses], [403, 429])
  t.equal((await eve('GET', '/users')).statusCode, 200)
})

t.test('a request without a valid token is refused with a challenge', async t => {
  const { add, as, ask, app, stores } = await buildAdmin(t)
  const id = await add('root', 'administrator')
  const challenge = async (caller: typeof root) => {
    const { statusCode, headers, body } = await caller('GET', '/users')
    t.match(headers['content-type'], 'application/problem+json')
    t.equal(headers['cache-control'], 'no-store')
    return [statusCode, headers['www-authenticate'], JSON.parse(body).type]
  }
  const root = await as('root')
  t.equal((await root('GET', '/users')).statusCode, 200)
  const invalid = 'Bearer realm="admin", error="invalid_token", error_description="The access token is invalid, expired or revoked, or for another audience."'
  const type = 'https://id.example/problems/access-token-invalid'
  t.strictSame(await challenge(ask(undefined)), [401, 'Bearer realm="admin"', type])
  t.strictSame(await challenge(ask('nonsense')), [401, invalid, type])
  const foreign = await signIn({ app }, 'root', { resource: undefined, scope: 'openid' })
  t.strictSame(await challenge(ask(foreign)), [401, invalid, type])
  const narrow = await signIn({ app }, 'root', { scope: 'openid' })
  t.strictSame(await challenge(ask(narrow)), [
    403, 'Bearer realm="admin", error="insufficient_scope", error_description="The access token is missing the scope admin:read.", scope="admin:read"',
    'https://id.example/problems/not-permitted'
  ])
  await stores.roles.assign(id, [])
  t.equal((await root('GET', '/users')).statusCode, 401, 'the role was taken, and with it the token')
  await stores.roles.assign(id, ['administrator'])
  await stores.users.setDisabled('root', new Date())
  t.strictSame(await challenge(root), [401, invalid, type])
})

t.test('each role may do what it is for: every route × role', async t => {
  const { add, as } = await buildAdmin(t)
  const callers = Object.fromEntries(await Promise.all((['administrator', 'auditor', 'support'] as const).map(async role => {
    await add(role, role)
    return [role, await as(role)] as const
  })))
  const may = { read: ['administrator', 'auditor', 'support'], support: ['administrator', 'support'], manage: ['administrator'] }
  t.ok(endpoints.length > 10)
  for (const { method, path, right } of endpoints) {
    // The plan needs a body, and changes nothing.
    t.equal(method === 'GET' || path === '/clients-file/plan', right === 'read', `${method} ${path}`)
    for (const [role, caller] of Object.entries(callers)) {
      const { statusCode, body } = await caller(method, path.replace(/:\w+/g, 'nothing'), method === 'GET' || method === 'DELETE' ? undefined : {})
      const isRefused = statusCode === 403
      t.equal(isRefused, !may[right].includes(role), `${role}: ${method} ${path}: ${statusCode} ${body.slice(0, 120)}`)
      t.ok(statusCode < 500, `${method} ${path}`)
    }
  }
})

async function withSecret (stores: Awaited<ReturnType<typeof build>>['stores'], id: string, allowedScope: string) {
  const { addClient } = await import('../../../src/admin/clients.js')
  const entry = { clientId: id, name: id, grantTypes: ['client_credentials'], tokenEndpointAuthMethod: 'client_secret_post', allowedScope }
  return await addClient(stores, entry, [], { kind: 'shell', name: 'test' })
}
