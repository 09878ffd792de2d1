import t from 'tap'
import { MAX_LOGO } from '../../../src/oauth/client-logo.js'
import { CONSOLE_ID } from '../../../src/oauth/console-client.js'
import { openAdmin, PNG, SHOP, type Page } from '../../support/admin/clients.js'

export const onBothDatabases = true

t.test('secrets are shown once: not in another answer, not in the audit trail, not in the log', async t => {
  const { root, stores, logs } = await openAdmin(t)
  const added = await root('POST', '/clients', { ...SHOP, tokenEndpointAuthMethod: 'client_secret_basic' })
  const { secret: first } = added.json()
  t.match(first, /^[\w-]{43}$/)
  const again = await root('POST', '/clients/shop/secrets')
  t.equal(again.statusCode, 201)
  const { slot, secret: second } = again.json()
  t.equal(slot, 2)
  t.equal((await root('POST', '/clients/shop/secrets')).statusCode, 409, 'there are at most two')
  t.match((await root('GET', '/clients/shop/secrets')).json(), { items: [{ slot: 1, createdAt: /^2/ }, { slot: 2 }] })
  t.equal((await root('DELETE', '/clients/shop/secrets/1')).statusCode, 204)
  for (const slot of ['1', '3', 'x', '02']) t.equal((await root('DELETE', `/clients/shop/secrets/${slot}`)).statusCode, 404, slot)
  const read = await root('GET', '/clients/shop')
  t.equal(read.headers.etag, added.headers.etag, 'a secret is no part of the version')

  await root('PATCH', '/clients/shop', { tokenEndpointAuthMethod: 'none' })
  const { secret: third } = (await root('PATCH', '/clients/shop', { tokenEndpointAuthMethod: 'client_secret_post' })).json()
  t.match(third, /^[\w-]{43}$/, 'a client that needs a first secret gets one')
  const { token } = (await root('POST', '/registration-tokens', {})).json()
  const later = [
    ...await Promise.all(['/clients', '/clients/shop', '/clients/shop/secrets', '/registration-tokens'].map(async path => (await root('GET', path)).body)),
    ...logs,
    JSON.stringify(await stores.audit.list({}, 100))
  ].join('\n')
  for (const secret of [first, second, third, token]) t.notOk(later.includes(secret))
})

t.test('an Idempotency-Key of one client\'s secret is refused for another client', async t => {
  const { root, stores } = await openAdmin(t)
  for (const clientId of ['one', 'other']) await root('POST', '/clients', { ...SHOP, clientId, tokenEndpointAuthMethod: 'client_secret_basic' })
  const add = async (id: string) => await root('POST', `/clients/${id}/secrets`, undefined, { 'idempotency-key': 'key-1' })
  const first = await add('one')
  t.equal(first.statusCode, 201)
  t.strictSame((await add('one')).json(), first.json(), 'a retry')
  t.equal((await add('other')).statusCode, 422)
  t.same([(await stores.clientSecrets.list('one')).length, (await stores.clientSecrets.list('other')).length], [2, 1])
})

t.test('of concurrent creations with one id, one succeeds; of concurrent secrets, as many as there are slots', async t => {
  const { root, stores } = await openAdmin(t)
  const post = async (count: number, path: string, body?: object) =>
    (await Promise.all(Array.from({ length: count }, async () => await root('POST', path, body)))).map(({ statusCode }) => statusCode).sort()
  const body = { ...SHOP, tokenEndpointAuthMethod: 'client_secret_basic' }
  t.strictSame(await post(20, '/clients', body), [201, ...Array.from({ length: 19 }, () => 409)])
  t.strictSame(await post(20, '/clients/shop/secrets'), [201, ...Array.from({ length: 19 }, () => 409)])
  t.same((await stores.clientSecrets.list('shop')).map(({ slot }) => slot), [1, 2])
})

t.test('each refusal names the field, and changes nothing', async t => {
  const { root, stores } = await openAdmin(t)
  await stores.clients.add({ id: 'self', name: 'Self', registeredBy: 'token', callbacks: SHOP.callbacks, grantTypes: ['client_credentials'] })
  await root('POST', '/clients', SHOP)
  const state = async () => [await stores.clients.list(), (await stores.audit.list({}, 100)).filter(({ details }) => 'by' in details)]
  const before = await state()
  const big = `data:image/png;base64,${Buffer.concat([Buffer.from(PNG.split(',')[1]!, 'base64'), Buffer.alloc(MAX_LOGO * 1_024)]).toString('base64')}`
  for (const [method, path, body, status, field] of [
    ['POST', '/clients', SHOP, 409, 'clientId'],
    ['POST', '/clients', { name: 'Shop' }, 400, 'clientId'],
    ['POST', '/clients', { ...SHOP, clientId: 'a b' }, 400, 'clientId'],
    ['POST', '/clients', { ...SHOP, clientId: 'new', disabled: true }, 400, 'disabled'],
    ['POST', '/clients', { ...SHOP, clientId: 'new', callbacks: [] }, 409, 'callbacks'],
    ['POST', '/clients', { ...SHOP, clientId: 'new', jwks: { keys: [{ kty: 'oct', k: 'AA' }] } }, 400, 'jwks'],
    ['PATCH', '/clients/shop', {}, 400, ''],
    ['PATCH', '/clients/shop', { clientId: 'other' }, 400, 'clientId'],
    ['PATCH', '/clients/shop', { registeredBy: 'operator' }, 400, 'registeredBy'],
    ['PATCH', '/clients/shop', { callbacks: ['http://shop.example'] }, 400, 'callbacks'],
    ['PATCH', '/clients/shop', { callbacks: 'https://shop.example' }, 400, 'callbacks'],
    ['PATCH', '/clients/shop', { name: 'A\0' }, 400, ''],
    ['PATCH', '/clients/shop', { logo: 'data:image/svg+xml;base64,PHN2Zz4=' }, 400, 'logo'],
    ['PATCH', '/clients/shop', { logo: big }, 400, 'logo'],
    ['PATCH', '/clients/shop', { implicit: 'until 2020-01-31' }, 400, 'implicit'],
    ['PATCH', '/clients/self', { logo: PNG }, 409, 'logo'],
    ['PATCH', '/clients/self', { allowedScope: 'admin:read' }, 409, 'allowedScope'],
    ['POST', '/clients/self/adopt', {}, 400, 'allowedScope'],
    ['POST', '/clients/shop/adopt', {}, 409, 'registeredBy'],
    ['PUT', '/clients/shop/implicit', { policy: 'on' }, 400, 'implicit'],
    ['PUT', '/clients/shop/implicit', { policy: 'until 2020-01-31' }, 400, 'implicit'],
    ['POST', '/clients/shop/secrets', undefined, 409, 'tokenEndpointAuthMethod'],
    ['POST', '/registration-tokens', { uses: 0 }, 400, 'uses'],
    ['POST', '/registration-tokens', { days: 366 }, 400, 'days'],
    ['POST', '/registration-tokens', { grantTypes: ['password'] }, 400, 'grantTypes'],
    ['POST', '/registration-tokens', { allowedScope: 'customer:read admin:read' }, 400, 'allowedScope'],
    ['GET', '/registration-tokens?after=x', undefined, 400, 'after'],
    ['GET', '/registration-tokens?after=999999999999999-a', undefined, 400, 'after']
  ] as const) {
    const name = `${method} ${path} ${JSON.stringify(body)?.slice(0, 100)}`
    const answer = await root(method, path, body)
    t.equal(answer.statusCode, status, name)
    t.ok(answer.json().errors.some((error: { field: string }) => error.field === field), `${name}: ${answer.body}`)
  }
  t.same(await state(), before)
})

t.test('an id that is unknown, or that of another kind, is the same 404 on every route', async t => {
  const { root, rootId, stores } = await openAdmin(t)
  await stores.clients.put({ id: CONSOLE_ID, name: 'Console' })
  for (const id of ['ghost', CONSOLE_ID, rootId, 'a%00', '%C3%A9', '..%2Fusers', 'x'.repeat(2_000)]) {
    for (const [method, path, body] of [
      ['GET', ''], ['PATCH', '', { name: 'A' }], ['DELETE', ''], ['POST', '/disable'], ['POST', '/enable'], ['POST', '/revoke'], ['POST', '/adopt', {}],
      ['PUT', '/implicit', { policy: 'off' }], ['GET', '/users'], ['GET', '/secrets'], ['POST', '/secrets'], ['DELETE', '/secrets/1'],
      ['GET', '/callback-check?uri=https://a.example']
    ] as const) {
      const answer = await root(method, `/clients/${id}${path}`, body)
      t.match([answer.statusCode, answer.json().type], [404, 'https://id.example/problems/unknown'], `${method} ${id.slice(0, 40)}${path}`)
    }
    t.equal((await root('DELETE', `/registration-tokens/${id}`)).statusCode, 404, id.slice(0, 40))
  }
})

t.test('registration tokens are made, listed in pages and removed', async t => {
  const { root, rootId, stores } = await openAdmin(t)
  for (let uses = 1; uses <= 5; uses++) {
    const made = await root('POST', '/registration-tokens', { uses, days: 1, allowedScope: 'customer:read' })
    t.equal(made.statusCode, 201)
    t.match(made.json(), { usesLeft: uses, allowedScope: 'customer:read', token: /^[\w-]{43}$/ })
  }
  const seen: string[] = []
  for (let after: string | null | undefined; after !== null;) {
    const { items, next }: Page<{ id: string }> = (await root('GET', `/registration-tokens?limit=2${after === undefined ? '' : `&after=${after}`}`)).json()
    seen.push(...items.map(({ id }) => id))
    after = next
  }
  t.equal(new Set(seen).size, 5)
  t.equal(seen.length, 5)
  t.equal((await root('DELETE', `/registration-tokens/${seen[0]}`)).statusCode, 204)
  t.equal((await root('DELETE', `/registration-tokens/${seen[0]}`)).statusCode, 404)
  const rows = (await stores.audit.list({}, 20)).filter(({ event }) => /^registration /.test(event))
  t.equal(rows.length, 6)
  for (const { details } of rows) t.equal(details.by, rootId)
})
