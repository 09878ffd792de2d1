import t, { type Test } from 'tap'
import type { Actor } from '../../src/admin/actor.js'
import { apply } from '../../src/admin/apply.js'
import { complete, defaults, sortLists, type ClientEntry } from '../../src/admin/client-entry.js'
import { addSecret, removeSecret } from '../../src/admin/client-secrets.js'
import { adoptClient } from '../../src/admin/adopt-client.js'
import { addClient, removeClient, setClientDisabled, setImplicit, updateClient, revokeClient } from '../../src/admin/clients.js'
import { Refusal } from '../../src/admin/refusal.js'
import { openStores } from '../../src/stores/stores.js'
import { PNG } from '../support/admin/clients.js'
import { connectTo, emptyDatabase } from '../support/database.js'

export const onBothDatabases = true

const BY: Actor = { kind: 'user', userId: 'operator-1', roles: [], source: '192.0.2.7' }
const SHOP = { clientId: 'shop', name: 'Shop', callbacks: ['https://shop.example/cb'] }

async function open (t: Test) {
  const stores = await openStores(await emptyDatabase(t))
  t.teardown(() => stores.close())
  return stores
}

t.test('each action on a client is recorded, with who did it', async t => {
  const stores = await open(t)
  await addClient(stores, SHOP, [], BY)
  const { secret } = await updateClient(stores, 'shop', { change: () => ({ tokenEndpointAuthMethod: 'client_secret_basic' }), schemes: [] }, BY)
  t.match(secret, /^[\w-]{43}$/)
  await addSecret(stores, 'shop', BY)
  await removeSecret(stores, 'shop', '1', BY)
  await setImplicit(stores, 'shop', { policy: 'warn', withCode: false }, BY)
  await setClientDisabled(stores, 'shop', true, BY)
  await setClientDisabled(stores, 'shop', false, BY)
  await revokeClient(stores, 'shop', BY)
  const wanted = { clients: [sortLists(complete({ ...SHOP, name: 'Web shop' }))], roles: undefined }
  await apply(stores, wanted, { prune: false }, BY)
  await removeClient(stores, 'shop', BY)
  const rows = await stores.audit.list({ clientId: 'shop' }, 20)
  t.strictSame(rows.toReversed().map(({ event }) => event), [
    'client add', 'client update', 'client secret add', 'client secret remove', 'client implicit', 'client disable', 'client enable',
    'client revoke', 'apply', 'client remove'
  ])
  for (const row of rows) t.match(row, { source: '192.0.2.7', details: { by: 'operator-1' } }, row.event)
  t.match(rows.find(({ event }) => event === 'client update'), { details: { fields: ['tokenEndpointAuthMethod'] } })
  t.equal(await stores.audit.count(), 10)
})

t.test('the event of a change names the fields that changed, of those that were sent', async t => {
  const stores = await open(t)
  await addClient(stores, SHOP, [], BY)
  const fields = async (change: Partial<Pick<ClientEntry, 'name' | 'logo' | 'callbacks' | 'accessTokenTtl'>>) => {
    await updateClient(stores, 'shop', { change: () => change, schemes: [] }, BY)
    return (await stores.audit.list({ event: 'client update' }, 1))[0]?.details.fields
  }
  const { name, callbacks } = SHOP
  t.same(await fields({ name, callbacks, logo: null, accessTokenTtl: 60 }), ['accessTokenTtl'])
  t.same(await fields({ name: 'Web shop', logo: PNG }), ['name', 'logo'])
  t.same(await fields({ logo: PNG }), [])
  t.same(await fields({ logo: null }), ['logo'])
})

t.test('a client is not changed if its event cannot be recorded, and no event is recorded without a change', async t => {
  const stores = await open(t)
  await addClient(stores, SHOP, [], BY)
  const before = await stores.clients.find('shop')
  const { clients: unrecorded } = stores.recorded(() => { throw new Error('not recorded') })
  await t.rejects(unrecorded.add({ id: 'other', name: 'Other' }), /not recorded/)
  await t.rejects(unrecorded.change('shop', { name: 'Changed' }), /not recorded/)
  await t.rejects(unrecorded.setDisabled('shop', new Date()), /not recorded/)
  await t.rejects(unrecorded.remove('shop'), /not recorded/)
  t.strictSame(await stores.clients.list(), [before])
  for (const change of [unrecorded.revoke('ghost'), unrecorded.change('ghost', {}), unrecorded.add({ id: 'shop', name: 'Shop' })]) t.equal(await change, false)
  t.equal(await stores.audit.count(), 1)
})

t.test('a client is not added or changed if its first secret cannot be stored', async t => {
  const url = await emptyDatabase(t)
  const [stores, connection] = [await openStores(url), await connectTo(url)]
  t.teardown(async () => { await Promise.all([stores.close(), connection.close()]) })
  await addClient(stores, SHOP, [], BY)
  const before = [await stores.clients.list(), await stores.audit.count()]
  await connection.query('ALTER TABLE client_secret RENAME TO away')
  const confidential = { tokenEndpointAuthMethod: 'client_secret_basic' }
  await t.rejects(addClient(stores, { ...SHOP, clientId: 'job', ...confidential }, [], BY), /client_secret/)
  await t.rejects(updateClient(stores, 'shop', { change: () => confidential, schemes: [] }, BY), /client_secret/)
  t.same([await stores.clients.list(), await stores.audit.count()], before)
  await connection.query('ALTER TABLE away RENAME TO client_secret')
  const { secret } = await updateClient(stores, 'shop', { change: () => confidential, schemes: [] }, BY)
  t.match(secret, /^[\w-]{43}$/)
  t.equal((await updateClient(stores, 'shop', { change: () => ({ ...confidential, name: 'Shop 2' }), schemes: [] }, BY)).secret, undefined, 'it has one')
  await updateClient(stores, 'shop', { change: () => ({ tokenEndpointAuthMethod: 'none' }), schemes: [] }, BY)
  t.same(await stores.clientSecrets.list('shop'), [])
})

t.test('an app whose id is the URL of a document in a private network can be changed, though not added', async t => {
  const stores = await open(t)
  const id = 'http://localhost:3005/client.json'
  await t.rejects(addClient(stores, { ...SHOP, clientId: id }, [], BY), /The client_id must be/)
  await stores.clients.add({ id, name: 'Local', callbacks: SHOP.callbacks })
  const { client } = await updateClient(stores, id, { change: () => ({ allowedScope: 'read' }), schemes: [] }, BY)
  t.equal(client.allowedScope, 'read')
})

t.test('a refusal names the fields of the client, and is not recorded', async t => {
  const stores = await open(t)
  await addClient(stores, SHOP, [], BY)
  const update = (change: Partial<typeof defaults>) => updateClient(stores, 'shop', { change: () => change, schemes: [] }, BY)
  const rows: Array<[name: string, action: () => Promise<unknown>, code: Refusal['code'], fields: string[]]> = [
    ['a taken client_id', () => addClient(stores, SHOP, [], BY), 'taken', ['clientId']],
    ['three faults', () => addClient(stores, { clientId: 'a b', name: '', callbacks: ['x'] }, [], BY), 'invalid', ['clientId', 'name', 'callbacks']],
    ['no callback', () => addClient(stores, { clientId: 'job', name: 'Job' }, [], BY), 'conflict', ['callbacks']],
    ['a contradiction', () => update({ pkce: 'optional' }), 'invalid', ['pkce']],
    ['a date that has passed', () => update({ implicit: 'until 2020-01-31' }), 'invalid', ['implicit']],
    ['no sector', () => update({ sectorIdentifier: 'shop.example' }), 'invalid', ['subjectType']],
    ['a secret of a public client', () => addSecret(stores, 'shop', BY), 'conflict', ['tokenEndpointAuthMethod']],
    ['no such secret', () => removeSecret(stores, 'shop', '1', BY), 'unknown', ['slot']],
    ['nothing to adopt', () => adoptClient(stores, 'shop', undefined, BY), 'conflict', ['registeredBy']],
    ['no such client', () => removeClient(stores, 'shpo', BY), 'unknown', ['clientId']]
  ]
  for (const [name, action, code, fields] of rows) {
    const error = await action().then(() => null, (error: unknown) => error)
    if (!(error instanceof Refusal)) throw new Error(`${name}: ${String(error)}`)
    t.strictSame({ code: error.code, fields: error.faults.map(({ field }) => field) }, { code, fields }, name)
  }
  t.equal(await stores.audit.count(), 1)
})
