import t from 'tap'
import { console } from '../../support/admin/admin.js'
import { openAdmin, PNG, SHOP, type Page } from '../../support/admin/clients.js'

export const onBothDatabases = true

const DOCUMENT = 'https://app.example/oauth/client.json?v=1&x=a%2Fb'

t.test('a client is added, read, changed, disabled and removed, and each change is recorded with the user', async t => {
  const { root, rootId, stores } = await openAdmin(t)
  const added = await root('POST', '/clients', { ...SHOP, logo: PNG, accessTokenTtl: 60 })
  t.equal(added.statusCode, 201)
  t.match(added.json(), { ...SHOP, logo: PNG, accessTokenTtl: 60, state: 'enabled', registeredBy: 'operator', allowedScope: '*', usedAt: null })
  t.notOk('secret' in added.json(), 'it is public')
  const read = await root('GET', '/clients/shop')
  t.strictSame(read.json(), added.json())
  t.equal(read.headers.etag, added.headers.etag)

  const changed = await root('PATCH', '/clients/shop', { name: 'Web shop', logo: null }, { 'if-match': String(read.headers.etag) })
  t.match(changed.json(), { name: 'Web shop', logo: null, accessTokenTtl: 60 })
  t.not(changed.headers.etag, read.headers.etag)
  const old = await root('PATCH', '/clients/shop', { name: 'Old shop' }, { 'if-match': String(read.headers.etag) })
  t.match([old.statusCode, old.json()], [412, { type: 'https://id.example/problems/changed-meanwhile' }])

  t.match((await root('PUT', '/clients/shop/implicit', { policy: 'warn', withCode: true })).json(), { implicit: 'warn' })
  t.match((await root('POST', '/clients/shop/disable')).json(), { state: 'disabled', disabledAt: /^2/ })
  t.match((await root('POST', '/clients/shop/enable')).json(), { state: 'enabled', disabledAt: null })
  t.equal((await root('POST', '/clients/shop/revoke')).statusCode, 204)
  const etag = String((await root('GET', '/clients/shop')).headers.etag)
  t.equal((await root('DELETE', '/clients/shop', undefined, { 'if-match': etag })).statusCode, 400, 'it would not be checked')
  t.equal((await root('DELETE', '/clients/shop')).statusCode, 204)
  t.equal((await root('GET', '/clients/shop')).statusCode, 404)

  const rows = (await stores.audit.list({ clientId: 'shop' }, 20)).toReversed()
  t.strictSame(rows.map(({ event }) => event),
    ['client add', 'client update', 'client implicit', 'client disable', 'client enable', 'client revoke', 'client remove'])
  for (const { event, details } of rows) t.equal(details.by, rootId, event)
  t.same(rows[1]?.details, { fields: ['name', 'logo'], before: { name: 'Shop' }, after: { name: 'Web shop' }, by: rootId })
})

t.test('a change takes effect at once in the process that makes it, for requests that read from the cache', async t => {
  const { stores, root } = await openAdmin(t)
  await root('POST', '/clients', SHOP)
  t.match(await stores.clients.find('shop'), { disabledAt: null })
  await root('POST', '/clients/shop/disable')
  t.not((await stores.clients.find('shop'))?.disabledAt, null)
})

t.test('what adds, removes or changes clients, and what shows a secret, needs a recent sign-in', async t => {
  const { app, as, stores } = await openAdmin(t)
  await stores.clients.change(console.id, { accessTokenTtl: 3_600 })
  const root = await as('root')
  const { now } = app.clock
  app.clock.now = () => new Date(now().getTime() + 700_000)
  for (const [method, path, body, isSensitive] of [
    ['POST', '/clients', SHOP, true],
    ['PATCH', '/clients/app', { name: 'App' }, true],
    ['POST', '/clients/app/adopt', {}, true],
    ['POST', '/clients/app/secrets', undefined, true],
    ['DELETE', '/clients/app/secrets/1', undefined, true],
    ['DELETE', '/clients/app', undefined, true],
    ['POST', '/registration-tokens', {}, true],
    ['PUT', '/clients-file', { clients: [] }, true],
    ['POST', '/users/none/test-mail', undefined, true],
    ['POST', '/clients-file/plan', { clients: [] }, false],
    ['GET', '/clients/app', undefined, false],
    ['POST', '/clients/app/disable', undefined, false],
    ['POST', '/clients/app/revoke', undefined, false],
    ['DELETE', '/registration-tokens/nothing', undefined, false]
  ] as const) t.equal((await root(method, path, body)).statusCode === 401, isSensitive, `${method} ${path}`)
})

t.test('of 50 concurrent changes with one ETag, one succeeds', async t => {
  const { root, stores } = await openAdmin(t)
  const added = await root('POST', '/clients', { ...SHOP, logo: PNG })
  const ifMatch = { 'if-match': String(added.headers.etag) }
  const answers = await Promise.all(Array.from({ length: 50 }, async (_, i) => await root('PATCH', '/clients/shop', { name: `Shop ${i}` }, ifMatch)))
  const statuses = answers.map(({ statusCode }) => statusCode).sort()
  t.strictSame(statuses, [200, ...Array.from({ length: 49 }, () => 412)])
  t.equal((await root('GET', '/clients/shop')).json().name, answers.find(({ statusCode }) => statusCode === 200)?.json().name)
  t.equal((await stores.audit.list({ clientId: 'shop', event: 'client update' }, 50)).length, 1)
})

t.test('clients are listed in pages without gaps, and found by id, name, state and registration', async t => {
  const { root, stores } = await openAdmin(t)
  for (let i = 0; i < 7; i++) await stores.clients.add({ id: `app-${i}`, name: `Ärzte ${i}`, registeredBy: i < 3 ? 'token' : 'operator', callbacks: SHOP.callbacks })
  await stores.clients.setDisabled('app-6', new Date())
  const seen: string[] = []
  for (let after: string | null = ''; after !== null;) {
    const { items, next }: Page<{ clientId: string }> = (await root('GET', `/clients?limit=4&after=${after}`)).json()
    seen.push(...items.map(({ clientId }) => clientId))
    t.ok(items.length <= 4)
    t.notOk(items.some(item => 'logo' in item))
    after = next
  }
  t.strictSame(seen, ['admin-cli', 'app', 'app-0', 'app-1', 'app-2', 'app-3', 'app-4', 'app-5', 'app-6'])
  const find = async (query: string) => (await root('GET', `/clients?${query}`)).json().items.map(({ clientId }: { clientId: string }) => clientId)
  t.strictSame(await find('search=%C3%84RZTE%205'), ['app-5'])
  t.strictSame(await find('search=CLI'), ['admin-cli'])
  t.strictSame(await find('search=app-&limit=1'), ['app-0'])
  t.strictSame(await find('state=disabled'), ['app-6'])
  t.strictSame(await find('selfRegistered=true&after=app-0'), ['app-1', 'app-2'])
  t.strictSame(await find('selfRegistered=false&state=enabled&search=app-'), ['app-3', 'app-4', 'app-5'])
  for (const query of ['limit=0', 'limit=201', 'limit=x', 'state=gone', 'sort=name', 'search=%00', 'after=a%00']) {
    t.equal((await root('GET', `/clients?${query}`)).statusCode, 400, query)
  }
})

t.test('a client_id that is a URL is percent-encoded in the path', async t => {
  const { root, stores } = await openAdmin(t)
  await stores.clients.add({ id: DOCUMENT, name: 'MCP client', registeredBy: 'document', callbacks: SHOP.callbacks })
  const path = `/clients/${encodeURIComponent(DOCUMENT)}`
  t.match((await root('GET', path)).json(), { clientId: DOCUMENT, registeredBy: 'document' })
  t.match((await root('PATCH', path, { accessTokenTtl: 60 })).json(), { accessTokenTtl: 60 })
  t.match((await root('POST', `${path}/adopt`, { allowedScope: 'customer:read' })).json(), { registeredBy: 'operator', allowedScope: 'customer:read' })
  t.match((await root('POST', `${path}/adopt`, {})).json(), { status: 409, errors: [{ field: 'registeredBy' }] })
  t.equal((await root('DELETE', path)).statusCode, 204)
  const long = `https://app.example/${'x'.repeat(480)}`
  await stores.clients.add({ id: long, name: 'Long', registeredBy: 'document' })
  t.match((await root('GET', `/clients/${encodeURIComponent(long)}`)).json(), { clientId: long })
})

t.test('a redirect URI is compared with the callbacks', async t => {
  const { root } = await openAdmin(t)
  await root('POST', '/clients', { ...SHOP, callbacks: ['https://shop.example/cb', 'https://shop.example/other/path'] })
  await root('POST', '/clients', { clientId: 'cli', name: 'CLI', callbacks: ['http://127.0.0.1/cb'], native: true })
  await root('POST', '/clients', { clientId: 'job', name: 'Job', grantTypes: ['client_credentials'], tokenEndpointAuthMethod: 'client_secret_basic' })
  const compare = async (id: string, uri: string) => (await root('GET', `/clients/${id}/callback-check?uri=${encodeURIComponent(uri)}`)).json()
  const [cb, other] = ['https://shop.example/cb', 'https://shop.example/other/path']
  for (const [id, uri, matches, nearest, difference, position] of [
    ['shop', cb, true, cb, null, null],
    ['shop', `${cb}/`, false, cb, 'trailing slash', 23],
    ['shop', 'https://shop.example/cB', false, cb, 'case', 22],
    ['shop', 'https://shop.example/other/pat', false, other, 'path', 30],
    ['shop', 'http://shop.example/cb', false, cb, 'scheme', 4],
    ['cli', 'http://127.0.0.1:8123/cb', true, 'http://127.0.0.1/cb', null, null],
    ['cli', 'http://127.0.0.1:8123/', false, 'http://127.0.0.1/cb', 'port', 16],
    ['job', cb, false, null, null, null]
  ] as const) t.match(await compare(id, uri), { matches, nearest, difference, position }, `${id} ${uri}`)
  t.match(await compare('shop', cb), { fault: null })
  t.match(await compare('shop', 'http://shop.example/cb#x'), { fault: /fragment/ })
  t.match(await compare('shop', 'x\n'), { matches: false, fault: /control character/ })
})

t.test('the users of a client are those who gave it access', async t => {
  const built = await openAdmin(t)
  const { items } = (await built.root('GET', `/clients/${console.id}/users`)).json()
  t.match(items, [{ username: 'root', state: 'enabled' }])
  t.strictSame((await built.root('GET', '/clients/app/users')).json(), { items: [], next: null })
})
