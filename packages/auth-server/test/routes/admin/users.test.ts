import t from 'tap'
import { buildAdmin, console } from '../../support/admin/admin.js'

t.test('an administrator adds, reads, changes, renames, disables, enables and removes a user', async t => {
  const { add, as, stores } = await buildAdmin(t)
  const id = await add('root', 'administrator')
  const root = await as('root')
  const added = await root('POST', '/users', { username: 'bob', password: 'correct horse battery', name: 'Bob', email: 'bob@example.com', roles: ['auditor'] })
  t.equal(added.statusCode, 201)
  const bob = added.json()
  t.match(bob, { username: 'bob', state: 'enabled', name: 'Bob', email: 'bob@example.com', emailVerified: false, roles: ['auditor'], givenName: null })
  t.notMatch(added.body, /"password"|correct horse|argon2/i, 'nothing of the password')
  const read = await root('GET', `/users/${bob.id}`)
  t.same(read.json(), bob)
  t.equal(read.headers.etag, added.headers.etag)

  t.same((await root('PATCH', `/users/${bob.id}`, { name: null, locale: 'de', roles: [] })).json(), { ...bob, name: null, locale: 'de', roles: [] })
  t.equal((await root('PUT', `/users/${bob.id}/username`, { username: 'Robert' })).json().username, 'Robert')
  t.equal((await root('POST', `/users/${bob.id}/disable`)).json().state, 'disabled')
  t.equal((await root('POST', `/users/${bob.id}/enable`)).json().state, 'enabled')
  t.equal((await root('POST', `/users/${bob.id}/sign-out`)).statusCode, 204)
  t.equal((await root('DELETE', `/users/${bob.id}`)).statusCode, 204)
  t.equal((await root('GET', `/users/${bob.id}`)).statusCode, 404)
  const rows = (await stores.audit.list({ userId: bob.id }, 20)).reverse()
  t.strictSame(rows.map(({ event, details }) => [event, details.by]), [
    'user add', 'user update', 'user rename', 'user disable', 'user enable', 'user sign-out', 'user remove'
  ].map(event => [event, id]))
})

t.test('users are found by a part of their data, and listed page by page', async t => {
  const { add, as } = await buildAdmin(t)
  await add('root', 'administrator')
  for (const name of ['u1', 'u2', 'u3', 'u4', 'u5']) await add(name)
  const root = await as('root')
  const names: string[] = []
  let next: string | null = ''
  let pages = 0
  while (next !== null && pages++ < 10) {
    const page: { items: Array<{ username: string }>, next: string | null } = (await root('GET', `/users?limit=2${next && `&after=${next}`}`)).json()
    names.push(...page.items.map(({ username }) => username))
    next = page.next
  }
  t.same(names, ['ann', 'root', 'u1', 'u2', 'u3', 'u4', 'u5'])
  t.same((await root('GET', '/users?search=U3')).json().items.map(({ username }: { username: string }) => username), ['u3'])
  t.same((await root('GET', '/users?search=unknown-user')).json(), { items: [], next: null })
})

t.test('what is wrong with a request is said for each field, and nothing is changed', async t => {
  const { add, as } = await buildAdmin(t)
  await add('root', 'administrator')
  const root = await as('root')
  const bob = await add('bob')
  const table: Array<[Parameters<typeof root>, status: number, errors: unknown]> = [
    [['POST', '/users', { username: 'eve' }], 400, [{ field: 'password' }]],
    [['POST', '/users', { username: 'eve', password: 'short' }], 400, [{ field: 'password' }]],
    [['POST', '/users', { username: 'eve', password: 'correct horse battery', nickname: 'e' }], 400, [{ field: 'nickname' }]],
    [['POST', '/users', { username: 'eve\ud800', password: 'correct horse battery' }], 400, [{ field: '' }]],
    [['POST', '/invitations', { username: 'eve', name: 'E\udc00' }], 400, [{ field: '' }]],
    [['POST', '/users', { username: 'eve\0', password: 'correct horse battery' }], 400, [{ field: '' }]],
    [['POST', '/users', { username: 'BOB', password: 'correct horse battery' }], 409, [{ field: 'username' }]],
    [['POST', '/users', { username: 'eve', password: 'correct horse battery', roles: ['nothing'] }], 404, [{ field: 'role' }]],
    [['PATCH', `/users/${bob}`, {}], 400, [{ field: '' }]],
    [['PATCH', `/users/${bob}`, { email: 'no address', name: 5 }], 400, [{ field: 'name' }]],
    [['PATCH', `/users/${bob}`, { email: 'no address' }], 400, [{ field: 'email' }]],
    [['PATCH', `/users/${bob}`, { name: 'B' }, { 'if-match': 'no tag' }], 400, [{ field: 'If-Match' }]],
    [['PATCH', `/users/${bob}`, { name: 'B' }, { 'if-match': '"other"' }], 412, [{ field: 'If-Match' }]],
    [['GET', '/users?limit=1000'], 400, [{ field: 'limit' }]],
    [['GET', '/users?serch=a'], 400, [{ field: 'serch' }]],
    [['GET', '/users?search=%ff'], 400, undefined],
    [['GET', '/users/nothing'], 404, [{ field: 'id' }]],
    [['GET', '/nothing'], 404, undefined]
  ]
  for (const [request, status, errors] of table) {
    const { statusCode, headers, body } = await root(...request)
    t.equal(statusCode, status, `${request[0]} ${request[1]} ${JSON.stringify(request[2])}: ${body}`)
    t.match(headers['content-type'], 'application/problem+json')
    t.notMatch(body, 'not valid JSON')
    if (errors !== undefined) t.match(JSON.parse(body).errors, errors)
  }
  t.match((await root('GET', `/users/${bob}`)).json(), { name: null, email: null, username: 'bob' })
  t.equal((await root('GET', '/users?search=eve')).json().items.length, 0)
})

t.test('of 50 changes with one ETag, one is made', async t => {
  const { add, as } = await buildAdmin(t)
  await add('root', 'administrator')
  const root = await as('root')
  const bob = await add('bob')
  const etag = String((await root('GET', `/users/${bob}`)).headers.etag)
  const changes = await Promise.all(Array.from({ length: 50 }, async (_, i) => await root('PATCH', `/users/${bob}`, { name: `Bob ${i}` }, { 'if-match': etag })))
  t.same(changes.map(({ statusCode }) => statusCode).sort(), [200, ...Array<number>(49).fill(412)])
  const read = await root('GET', `/users/${bob}`)
  t.equal(read.json().name, changes.find(({ statusCode }) => statusCode === 200)!.json().name)
})

t.test('support sends links by email only, and not to those with a built-in role; only administrators give roles', async t => {
  const { add, as, stores } = await buildAdmin(t)
  await add('root', 'administrator')
  await add('sam', 'support')
  const [root, sam] = [await as('root'), await as('sam')]
  const bob = await add('bob')
  const eve = await add('eve', 'auditor')
  t.equal((await sam('POST', `/users/${bob}/sign-out`)).statusCode, 204)
  for (const path of ['sign-out', 'reset']) t.equal((await sam('POST', `/users/${eve}/${path}`)).statusCode, 403)
  t.match((await sam('POST', `/users/${bob}/reset`)).json(), { status: 409, errors: [{ field: 'email' }] })
  t.match((await sam('POST', '/invitations', { username: 'new', email: 'new@example.com', roles: ['auditor'] })).json(), { status: 403 })
  t.match((await sam('POST', '/invitations', { username: 'new', email: 'new@example.com' })).json(), { status: 409 }, 'this server sends no email')
  t.equal(await stores.users.find('new'), null)
  t.match((await root('POST', '/invitations', { username: 'new', roles: ['support'] })).json(), {
    user: { username: 'new', state: 'invited', roles: ['support'] }, link: /^https:\/\/id\.example\/set-password\?link=/
  })
  t.match((await root('POST', `/users/${bob}/reset`)).json(), { link: /^https:\/\/id\.example\/set-password/ })
})

t.test('a sensitive change is refused with how old the sign-in may be (RFC 9470)', async t => {
  const { add, as, app, stores } = await buildAdmin(t)
  await add('root', 'administrator')
  await stores.clients.change(console.id, { accessTokenTtl: 3600 })
  const root = await as('root')
  const { now } = app.clock
  app.clock.now = () => new Date(now().getTime() + 300_000)
  t.equal((await root('DELETE', '/users/nothing')).statusCode, 404)
  app.clock.now = () => new Date(now().getTime() + 602_000)
  const refused = await root('DELETE', '/users/nothing')
  t.match(refused.headers['www-authenticate'], 'error="insufficient_user_authentication"')
  t.match(refused.headers['www-authenticate'], 'max_age="600"')
  t.match(refused.json(), { status: 401, type: 'https://id.example/problems/sign-in-insufficient' })
  t.equal((await root('GET', '/users')).statusCode, 200, 'what is not sensitive goes on')
  // Each would be a way to be an administrator for good.
  const [sam, invitation] = [await add('sam', 'support'), { username: 'new', roles: ['administrator'] }]
  t.match((await root('POST', '/invitations', invitation)).json(), { status: 401, type: /sign-in-insufficient$/ })
  t.match((await root('POST', `/users/${sam}/reset`)).json(), { status: 401, type: /sign-in-insufficient$/ })
  app.clock.now = () => new Date(now().getTime() - 3_000_000)
  t.match((await root('DELETE', '/users/nothing')).json(), { status: 401, type: /sign-in-insufficient$/ }, 'the clock was set back')
})

t.test('support, who get no link, need no recent sign-in to send one', async t => {
  const { add, as, app, stores } = await buildAdmin(t)
  await add('sam', 'support')
  await stores.clients.change(console.id, { accessTokenTtl: 3600 })
  const sam = await as('sam')
  const { now } = app.clock
  app.clock.now = () => new Date(now().getTime() + 602_000)
  t.match((await sam('POST', '/invitations', { username: 'new', email: 'new@example.com' })).json(), { status: 409, errors: [{ field: 'email' }] })
})
