import t from 'tap'
import { buildAdmin } from '../../support/admin/admin.js'
import { connectTo } from '../../support/database.js'

export const onBothDatabases = true

const KEY = { 'idempotency-key': 'a-key' }
const bob = { username: 'bartholomew', name: 'Bartholomew' }

t.test('of 20 invitations with one key one is made, and a retry gets its response, link and all', async t => {
  const { add, as, stores, databaseUrl } = await buildAdmin(t)
  await add('root', 'administrator')
  const root = await as('root')
  const all = await Promise.all(Array.from({ length: 20 }, async () => await root('POST', '/invitations', bob, KEY)))
  const made = all.filter(({ statusCode }) => statusCode === 201)
  t.equal(made.filter(({ headers }) => headers['idempotent-replayed'] === undefined).length, 1)
  for (const { statusCode, body } of all) if (statusCode !== 201) t.match(JSON.parse(body), { status: 409, type: /idempotency-key-in-use$/ })
  const retry = await root('POST', '/invitations', bob, { 'idempotency-key': '"a-key"' })
  t.equal(retry.headers['idempotent-replayed'], 'true')
  t.equal(retry.body, made[0]!.body)
  t.match(retry.json().link, /set-password/)
  t.equal((await stores.audit.list({ event: 'user invite' }, 50)).length, 1)

  const connection = await connectTo(databaseUrl)
  t.teardown(() => connection.close())
  const rows = await connection.query('SELECT * FROM admin_request')
  t.equal(rows.length, 1)
  t.notMatch(JSON.stringify(rows), /bartholomew|set-password|a-key/i, 'the response is sealed')
})

t.test('a key belongs to its caller, operation and body; a refusal leaves it free', async t => {
  const { add, as } = await buildAdmin(t)
  await add('root', 'administrator')
  await add('other', 'administrator')
  const [root, other] = [await as('root'), await as('other')]
  t.equal((await root('POST', '/invitations', { username: 'ann' }, KEY)).statusCode, 409, 'taken')
  t.equal((await root('POST', '/invitations', bob, KEY)).statusCode, 201)
  t.match((await root('POST', '/invitations', { ...bob, name: 'Rob' }, KEY)).json(), { status: 422, type: /idempotency-key-reused$/ })
  t.equal((await root('POST', '/users', { username: 'eve', password: 'correct horse battery' }, KEY)).statusCode, 201)
  t.equal((await other('POST', '/invitations', { username: 'eva' }, KEY)).statusCode, 201)
  t.match((await root('POST', '/invitations', { username: 'kim' }, { 'idempotency-key': 'a key' })).json(), {
    status: 400, errors: [{ field: 'Idempotency-Key' }]
  })
})

t.test('after a day the key is free, before and after the clean-up', async t => {
  const { add, as, stores, databaseUrl } = await buildAdmin(t)
  await add('root', 'administrator')
  const root = await as('root')
  const connection = await connectTo(databaseUrl)
  t.teardown(() => connection.close())
  t.equal((await root('POST', '/invitations', bob, KEY)).statusCode, 201)
  await connection.query("UPDATE admin_request SET expires_at = '2020-01-01T00:00:00.000Z'")
  t.equal((await root('POST', '/invitations', { username: 'bea' }, KEY)).statusCode, 201)
  await stores.removeExpired('admin request', new Date(Date.now() + 2 * 86_400_000))
  t.equal((await connection.query('SELECT * FROM admin_request')).length, 0)
  t.equal((await root('POST', '/invitations', { username: 'cid' }, KEY)).statusCode, 201)
})
