import t from 'tap'
import { console } from '../../support/admin/admin.js'
import { openAdmin, SHOP } from '../../support/admin/clients.js'
import { asClient } from '../../support/admin/robot.js'

t.test('a client that acts on its own behalf cannot change itself or another one with admin scopes, nor give these scopes', async t => {
  const built = await openAdmin(t)
  const { root, stores } = built
  const robot = await asClient(built, 'robot', 'admin:read admin:write')
  const reader = await asClient(built, 'reader', 'admin:read')
  t.equal((await reader('GET', '/clients')).statusCode, 200)
  t.equal((await reader('POST', '/clients', SHOP)).statusCode, 403)
  t.equal((await robot('POST', '/clients', SHOP)).statusCode, 201)
  t.equal((await robot('PATCH', '/clients/shop', { name: 'Web shop' })).statusCode, 200)
  t.match(await stores.audit.list({ clientId: 'shop' }, 1), [{ details: { by: 'robot' } }])
  await stores.clients.add({ id: 'self', name: 'Self', registeredBy: 'token', callbacks: SHOP.callbacks })
  const before = await stores.clients.list()
  for (const id of ['robot', 'reader', console.id]) {
    for (const [method, path, body] of [
      ['PATCH', '', { name: 'Robot' }], ['PATCH', '', { allowedScope: 'openid' }], ['DELETE', ''], ['POST', '/disable'], ['POST', '/enable'], ['POST', '/revoke'],
      ['PUT', '/implicit', { policy: 'off' }], ['POST', '/secrets'], ['DELETE', '/secrets/1']
    ] as const) t.equal((await robot(method, `/clients/${id}${path}`, body)).statusCode, 403, `${method} ${id}${path}`)
  }
  for (const [method, path, body] of [
    ['POST', '/clients', { ...SHOP, clientId: 'new', allowedScope: 'openid admin:read' }],
    ['PATCH', '/clients/shop', { allowedScope: 'admin:write' }],
    ['POST', '/clients/self/adopt', { allowedScope: 'admin:write' }]
  ] as const) t.equal((await robot(method, path, body)).statusCode, 403, `${method} ${path}`)
  t.same(await stores.clients.list(), before)
  t.match((await root('POST', '/clients/self/adopt', { allowedScope: 'admin:write' })).json(), { registeredBy: 'operator', allowedScope: 'admin:write' })
  t.equal((await root('PATCH', '/clients/robot', { name: 'Robot' })).statusCode, 200)
})

t.test('a client that acts on its own behalf cannot change users with a built-in role, nor give these roles', async t => {
  const built = await openAdmin(t)
  const { add, rootId, stores } = built
  const robot = await asClient(built, 'robot', 'admin:read admin:write')
  const [eve, bob] = [await add('eve', 'auditor'), await add('bob')]
  const password = 'a long enough password'
  t.equal((await robot('PATCH', `/users/${bob}`, { name: 'Bob' })).statusCode, 200)
  t.equal((await robot('POST', '/users', { username: 'new', password })).statusCode, 201)
  for (const id of [rootId, eve]) {
    for (const [method, path, body] of [
      ['PATCH', '', { email: 'robot@robot.example', emailVerified: true }], ['PATCH', '', { roles: [] }], ['PUT', '/username', { username: 'other' }],
      ['POST', '/disable'], ['POST', '/enable'], ['POST', '/reset'], ['DELETE', '']
    ] as const) t.equal((await robot(method, `/users/${id}${path}`, body)).statusCode, 403, `${method} ${path}`)
  }
  for (const [method, path, body] of [
    ['POST', '/users', { username: 'mine', password, roles: ['administrator'] }],
    ['POST', '/invitations', { username: 'mine', roles: ['support'] }],
    ['PATCH', `/users/${bob}`, { roles: ['administrator'] }]
  ] as const) t.equal((await robot(method, path, body)).statusCode, 403, `${method} ${path}`)
  t.same([await stores.roles.of(bob), await stores.users.find('mine')], [[], null])
})
