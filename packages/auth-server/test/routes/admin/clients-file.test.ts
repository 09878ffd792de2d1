import t from 'tap'
import { apply, readRegistered } from '../../../src/admin/apply.js'
import { shorten } from '../../../src/admin/client-entry.js'
import { wantedOf, type ClientsFile } from '../../../src/admin/clients-file.js'
import { CONSOLE_ID } from '../../../src/oauth/console-client.js'
import { signIn } from '../../support/admin/admin.js'
import { openAdmin, PNG, SHOP } from '../../support/admin/clients.js'
import { asClient } from '../../support/admin/robot.js'
import { connectTo } from '../../support/database.js'

export const onBothDatabases = true

const PLAN = '/clients-file/plan'
const FILE = '/clients-file'
const job = { clientId: 'job', name: 'Job', grantTypes: ['client_credentials'], tokenEndpointAuthMethod: 'client_secret_basic' }
// as: some are wrong.
const file = (...clients: object[]) => ({ clients }) as unknown as ClientsFile

t.test('a plan shows what a file changes, and its version applies just that', async t => {
  const { root, stores } = await openAdmin(t)
  const wanted = { ...file({ ...SHOP, logo: PNG }, job), roles: [{ name: 'clerk', scopes: 'b a' }] }
  const plan = await root('POST', PLAN, wanted)
  const added = {
    clients: { added: ['shop', 'job'], changed: [], unchanged: [], removed: [], kept: ['admin-cli', 'app'] },
    roles: { added: [{ name: 'clerk', scopes: 'a b' }], changed: [], removed: [], kept: [] },
    withoutSecret: ['job']
  }
  t.strictSame(plan.json(), added)
  const before = await stores.clients.list()
  t.equal(before.length, 2, 'nothing was changed')
  const { etag = '' } = plan.headers
  t.equal((await root('PUT', FILE, { ...wanted, clients: [SHOP] }, { 'if-match': `${etag}` })).statusCode, 412, 'the plan of another file')
  const applied = await root('PUT', FILE, wanted, { 'if-match': `${etag}` })
  t.strictSame(applied.json(), added)
  t.same([...(await stores.clientLogos.list()).keys()], ['shop'])
  t.match(await stores.audit.list({ event: 'apply' }, 9), { length: 3 })
  t.match((await root('PUT', FILE, wanted, { 'if-match': `${etag}` })).json(), { status: 412 }, 'once')
  t.match((await root('PUT', FILE, wanted)).json(), { clients: { unchanged: ['shop', 'job'] } })
  t.match((await root('POST', PLAN, file({ ...SHOP, name: 'Web shop' }))).json().clients.changed, [
    { clientId: 'shop', fields: { name: { from: 'Shop', to: 'Web shop' }, logo: { from: PNG, to: null } } }
  ])
  await root('PUT', FILE, file({ ...SHOP, name: 'Web shop' }))
  const [event] = await stores.audit.list({ event: 'apply' }, 1)
  t.match(event, { clientId: 'shop', details: { change: 'changed', fields: ['name', 'logo'] } })
  t.strictSame([event?.details.before, event?.details.after], [{ name: 'Shop' }, { name: 'Web shop' }])
})

t.test('a file is not applied if it would change something else than was shown', async t => {
  const { root, stores } = await openAdmin(t)
  await root('POST', '/clients', SHOP)
  const wanted = file({ ...SHOP, name: 'Web shop' })
  for (const change of [
    () => root('PATCH', '/clients/shop', { callbacks: ['https://shop.example/new'] }),
    () => root('POST', '/clients', { ...SHOP, clientId: 'new' }),
    () => root('POST', '/roles', { name: 'clerk', scopes: 'a' })
  ]) {
    const { headers: { etag = '' } } = await root('POST', `${PLAN}?prune=true`, { ...wanted, roles: [] })
    t.equal((await root('PUT', FILE, { ...wanted, roles: [] }, { 'if-match': `${etag}` })).statusCode, 412, 'without prune')
    t.equal((await change()).statusCode < 300, true)
    const before = [await stores.clients.list(), await stores.roles.list()]
    t.equal((await root('PUT', `${FILE}?prune=true`, { ...wanted, roles: [] }, { 'if-match': `${etag}` })).statusCode, 412)
    t.same([await stores.clients.list(), await stores.roles.list()], before)
  }
})

t.test('of files that are applied at once, one has the version that it was shown', async t => {
  const { root, stores } = await openAdmin(t)
  const kept = (await readRegistered(stores)).clients.map(shorten)
  const files = ['one', 'two', 'three'].map(name => file(...kept, { ...SHOP, name }, { ...SHOP, clientId: name, name }))
  for (let round = 0; round < 3; round++) {
    const plans = await Promise.all(files.map(async it => await root('POST', `${PLAN}?prune=true`, it)))
    const answers = await Promise.all(files.map(async (it, index) =>
      await root('PUT', `${FILE}?prune=true`, it, { 'if-match': `${plans[index]!.headers.etag}` })))
    const won = answers.findIndex(({ statusCode }) => statusCode === 200)
    t.same(answers.map(({ statusCode }) => statusCode), files.map((_, index) => index === won ? 200 : 412))
    const ids = (await stores.clients.list()).map(({ id, name }) => [id, name])
    const name = ['one', 'two', 'three'][won]
    t.same(ids.slice(kept.length), [[name, name], ['shop', name]].sort())
    t.equal((await root('PUT', `${FILE}?prune=true`, file(...kept))).statusCode, 200)
  }
})

t.test('a client that acts on its own behalf can apply no file that changes, removes or makes a client with admin scopes', async t => {
  const built = await openAdmin(t)
  const { stores } = built
  const robot = await asClient(built, 'robot', 'admin:read admin:write')
  await stores.clients.add({ id: 'self', name: 'Self', registeredBy: 'token', callbacks: SHOP.callbacks })
  const before = await stores.clients.list()
  const itself = { clientId: 'robot', name: 'robot', grantTypes: ['client_credentials'], tokenEndpointAuthMethod: 'client_secret_post' }
  for (const [path, body] of [
    ['', file({ ...itself, allowedScope: 'admin:read admin:write', name: 'Robot' })],
    ['', file({ ...itself, allowedScope: '*' })],
    ['', file({ ...itself, allowedScope: 'admin:read admin:write', disabled: true })],
    ['', file({ clientId: 'admin-cli', name: 'Mine', callbacks: ['https://robot.example/cb'] })],
    ['', file({ ...SHOP, allowedScope: 'openid admin:write' })],
    ['', file({ clientId: 'self', name: 'Self', callbacks: SHOP.callbacks, allowedScope: 'admin:read' })],
    ['', file(SHOP, { ...itself, allowedScope: 'admin:read' })],
    ['?prune=true', file(SHOP)],
    ['?prune=true', { ...file(), roles: [] }]
  ] as const) {
    const said = `${path} ${JSON.stringify(body)}`
    t.match((await robot('POST', PLAN + path, body)).json(), { status: 403, errors: [{ field: 'clientId' }] }, said)
    t.equal((await robot('PUT', FILE + path, body)).statusCode, 403, said)
  }
  t.same(await stores.clients.list(), before)
  t.equal((await robot('PUT', FILE, file(SHOP, { ...itself, allowedScope: 'admin:read admin:write' }))).statusCode, 200, 'itself, as it is')
  t.match(await stores.audit.list({ event: 'apply' }, 9), [{ clientId: 'shop', details: { by: 'robot' } }])

  // Between the check of the request and its transaction.
  await stores.clients.change('robot', { allowedScope: 'openid' })
  const wanted = wantedOf(file({ ...SHOP, name: 'Web shop' }))
  const lost = apply(stores, wanted, { prune: false }, { kind: 'client', clientId: 'robot', source: '192.0.2.7' })
  await t.rejects(lost, { message: 'Your rights were changed in the meantime.' })
  t.match(await stores.clients.read('shop'), { name: 'Shop' })
})

t.test('a file cannot have the console or a built-in role, and prune removes neither', async t => {
  const { root, rootId, stores, databaseUrl } = await openAdmin(t)
  for (const [field, body] of [
    ['clients.0.clientId', file({ ...SHOP, clientId: CONSOLE_ID })],
    ...['administrator', 'Auditor', 'SUPPORT'].map(name => ['roles.0', { ...file(), roles: [{ name, scopes: 'a' }] }] as const),
    ['roles.0', { ...file(), roles: [{ name: 'clerk', scopes: 'admin:read' }] }],
    ['roles.1', { ...file(), roles: [{ name: 'clerk', scopes: 'a' }, { name: 'clerk', scopes: 'b' }] }],
    ['clients.1.clientId', file(SHOP, SHOP)],
    ['clients.0.callbacks.0', file({ ...SHOP, callbacks: ['http://shop.example/cb'] })],
    ['clients.0.calbacks', file({ ...SHOP, calbacks: [] })]
  ] as const) t.match((await root('PUT', FILE, body)).json(), { status: 400, errors: [{ field }] }, field)
  const connection = await connectTo(databaseUrl)
  t.teardown(() => connection.close())
  const consoles = async () => (await connection.query(`SELECT id FROM client WHERE id = '${CONSOLE_ID}'`)).length
  const before = await consoles()
  t.equal((await root('PUT', `${FILE}?prune=true`, { ...file(), roles: [] })).statusCode, 200)
  t.same(await stores.clients.list(), [])
  t.same(await stores.roles.of(rootId), ['administrator'])
  t.equal(await consoles(), before)
})

t.test('a file is bounded, and must be JSON', async t => {
  const built = await openAdmin(t)
  const { app, root, stores } = built
  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ ...SHOP, clientId: `shop-${index}` }))
  const roles = Array.from({ length: 101 }, (_, index) => ({ name: `role-${index}`, scopes: 'a' }))
  t.match((await root('PUT', FILE, file(...many(2_001)))).json(), { status: 400, errors: [{ field: 'clients' }] })
  t.match((await root('PUT', FILE, file({ ...SHOP, name: 'x'.repeat(4 * 1_024 * 1_024) }))).json(), { status: 413 })
  t.match((await root('PUT', FILE, { ...file(), roles })).json(), { status: 400, errors: [{ field: 'roles' }] })
  t.equal((await root('PUT', FILE, { ...file(), roles: roles.slice(1) })).statusCode, 200)
  t.match((await root('PUT', FILE, { ...file(), roles: roles.slice(0, 1) })).json(), { status: 409, errors: [{ detail: 'The limit of 100 roles is reached.' }] })
  const wrong = await root('PUT', FILE, file(...Array.from({ length: 2_000 }, () => ({ no: 1 }))))
  t.equal(wrong.statusCode, 400)
  t.ok(wrong.json().errors.length <= 100 && wrong.body.length < 50_000, `${wrong.body.length}`)
  const unsafe = await root('PUT', FILE, file(...many(200).map(it => ({ ...it, callbacks: ['http://shop.example/cb'] }))))
  t.match(unsafe.json(), { status: 400, errors: { length: 100 } })
  const callbacks = Array.from({ length: 150_000 }, (_, index) => `x:${index}`)
  t.match((await root('PUT', FILE, file({ ...SHOP, callbacks }))).json(), { status: 400, errors: { length: 100 } })
  const authorization = `Bearer ${await signIn(built, 'root')}`
  for (const [type, payload, status] of [
    ['application/json', '[]', 400], ['application/json', 'null', 400], ['application/json', '', 400], ['application/json', '{', 400],
    ['application/yaml', 'clients: []', 415], ['text/plain', '{"clients":[]}', 415], ['application/x-www-form-urlencoded', 'clients=', 415]
  ] as const) {
    const { statusCode } = await app.inject({ method: 'PUT', url: `/admin/api${FILE}`, headers: { authorization, 'content-type': type }, payload })
    t.equal(statusCode, status, `${type} ${payload}`)
  }
  t.equal((await stores.clients.list()).length, 2)
})
