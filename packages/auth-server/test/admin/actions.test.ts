import t, { type Test } from 'tap'
import type { Actor } from '../../src/admin/actor.js'
import { listEvents } from '../../src/admin/audit.js'
import { addSecret, removeSecret } from '../../src/admin/client-secrets.js'
import { addClient, updateClient, removeClient, revokeClient, setClientDisabled } from '../../src/admin/clients.js'
import { rotateKeys, retireKey } from '../../src/admin/keys.js'
import { makeFactorLink } from '../../src/admin/factor-link.js'
import { removeFactors } from '../../src/admin/factors.js'
import { addUser, setPassword } from '../../src/admin/passwords.js'
import { Refusal } from '../../src/admin/refusal.js'
import { addRole, changeRole, removeRole } from '../../src/admin/roles.js'
import { revokeAccess, signOutUser } from '../../src/admin/sessions.js'
import { addRegistrationToken, removeRegistrationToken } from '../../src/admin/tokens.js'
import { removeUser, renameUser, setUserDisabled, updateUser } from '../../src/admin/users.js'
import { loadConfig } from '../../src/config.js'
import { openStores } from '../../src/stores/stores.js'
import { emptyDatabase } from '../support/database.js'
import { client } from '../support/helper.js'

export const onBothDatabases = true

const BY: Actor = { kind: 'user', userId: 'operator-1', roles: ['administrator'], source: '192.0.2.7' }
const PASSWORD = { password: 'correct horse', passwordMin: 8 }

async function open (t: Test) {
  const stores = await openStores(await emptyDatabase(t))
  t.teardown(() => stores.close())
  await stores.users.add({ id: 'operator-1', username: 'operator', passwordHash: 'x', demo: false }, ['administrator'])
  return stores
}

t.test('an action records who did it: a user at an address, or a shell', async t => {
  const stores = await open(t)
  const { id } = await addUser(stores, { username: 'ann', ...PASSWORD, name: 'Ann' }, BY)
  await addRole(stores, { name: 'editor', scopes: 'customer:write' }, { kind: 'shell', name: 'root' })
  await updateUser(stores, 'ann', { attributes: { locale: 'de' }, config: loadConfig, roles: { add: ['editor'], remove: [] } }, BY)
  const { rows, names } = await listEvents(stores, { limit: 10 })
  t.match(rows, [
    { event: 'user update', userId: id, source: '192.0.2.7', details: { attributes: ['locale'], add: ['editor'], by: 'operator-1' } },
    { event: 'role add', source: 'cli', details: { role: 'editor', by: 'root' } },
    { event: 'user add', userId: id, source: '192.0.2.7', details: { by: 'operator-1' } }
  ])
  t.same(new Map(names), new Map([[id, 'ann'], ['operator-1', 'operator']]))
})

t.test('a refusal names the fields that it concerns, changes nothing and is not recorded', async t => {
  const stores = await open(t)
  await stores.clients.put(client({ id: 'shop' }))
  await addUser(stores, { username: 'ann', ...PASSWORD }, BY)
  await addRole(stores, { name: 'editor', scopes: 'a' }, BY)
  const before = await stores.audit.count()
  const config = loadConfig({})
  const rows: Array<[name: string, action: () => Promise<unknown>, code: Refusal['code'], fields: string[]]> = [
    ['a role with two faults', () => addRole(stores, { name: 'a b', scopes: 'openid' }, BY), 'invalid', ['name', 'scopes']],
    ['a role that exists', () => addRole(stores, { name: 'editor', scopes: 'b' }, BY), 'taken', ['role']],
    ['no such role', () => removeRole(stores, 'editr', BY), 'unknown', ['role']],
    ['no such scope', () => changeRole(stores, 'editor', { scopes: { add: [], remove: ['b'] } }, BY), 'unknown', ['scope']],
    [
      'a user with three faults',
      () => addUser(stores, { username: ' x', ...PASSWORD, email: 'x', locale: '_' }, BY),
      'invalid',
      ['username', 'email', 'locale']
    ],
    ['a weak password', () => addUser(stores, { username: 'ben', ...PASSWORD, password: 'short' }, BY), 'invalid', ['password']],
    ['the own name as password', () => setPassword(stores, 'ann', { ...PASSWORD, password: 'ann', readConfig: loadConfig }, BY), 'invalid', ['password']],
    ['a taken name', () => addUser(stores, { username: 'ANN', ...PASSWORD }, BY), 'taken', ['username']],
    ['no such user', () => renameUser(stores, 'anm', 'ben', BY), 'unknown', ['username']],
    ['a role that no user can have', () => updateUser(stores, 'ann', { attributes: {}, config: loadConfig, roles: ['boss'] }, BY), 'unknown', ['role']],
    [
      'a role that is unknown, and a name',
      () => updateUser(stores, 'ann', { attributes: { name: 'Ann' }, config: loadConfig, roles: ['editor', 'boss'] }, BY),
      'unknown',
      ['role']
    ],
    ['no such client', () => revokeAccess(stores, { user: 'ann', clientId: 'shpo' }, BY), 'unknown', ['clientId']],
    ['a grant that no token allows', () => addRegistrationToken(stores, { uses: 1, days: 1, grantTypes: ['password'] }, BY), 'invalid', ['grantTypes']],
    ['no such token', () => removeRegistrationToken(stores, '0', BY), 'unknown', ['registration token']],
    ['no keys of ID tokens', () => rotateKeys(stores, { config, idTokens: true, delay: 0 }, BY), 'conflict', ['idTokens']],
    ['no such key', () => retireKey(stores, '0', BY), 'unknown', ['kid']],
    ['no such event', () => listEvents(stores, { event: 'role ad', limit: 1 }), 'unknown', ['event']]
  ]
  for (const [name, action, code, fields] of rows) {
    const error = await action().then(() => null, (error: unknown) => error)
    if (!(error instanceof Refusal)) throw new Error(`${name}: ${String(error)}`)
    t.same({ code: error.code, fields: error.faults.map(({ field }) => field) }, { code, fields }, name)
  }
  t.equal(await stores.audit.count(), before)
  t.match(await stores.roles.list(), [{ name: 'editor', scopes: ['a'] }])
  t.equal((await stores.profiles.findAny('ann'))?.name, null)
})

t.test('access that a user has not given is revoked without effect', async t => {
  const stores = await open(t)
  await stores.clients.put(client({ id: 'shop' }))
  const user = await addUser(stores, { username: 'ann', ...PASSWORD }, BY)
  const [createdAt, expiresAt] = [stores.clock.now(), new Date(Date.now() + 60_000)]
  const grant = { scope: 'a', audience: 'api', createdAt, expiresAt, responseType: 'code', epoch: 0, isSilent: false }
  await stores.grants.add({ ...grant, id: 'shop', nonceHash: 'shop', userId: user.id, clientId: 'shop' })
  const revoke = async () => (await revokeAccess(stores, { user: 'ann', clientId: 'shop' }, BY)).hadAccess
  t.same([await revoke(), await revoke()], [true, false])
  for (let other = 0; other < 100; other++) {
    await stores.clients.put(client({ id: `other-${other}` }))
    await stores.grants.add({ ...grant, id: `${other}`, nonceHash: `other-${other}`, userId: user.id, clientId: `other-${other}` })
  }
  t.equal(await revoke(), false, 'however many others have access')
  t.match(await removeUser(stores, 'ANN', BY), { id: user.id, username: 'ann', passwordHash: undefined }, 'no value has the password hash')
})

t.test('a change whose audit row cannot be written is not made', async t => {
  const stores = await open(t)
  await stores.clients.put(client({ id: 'shop', tokenEndpointAuthMethod: 'client_secret_basic' }))
  await addUser(stores, { username: 'ann', ...PASSWORD }, BY)
  await addRole(stores, { name: 'editor', scopes: 'a' }, BY)
  const token = await addRegistrationToken(stores, { uses: 1, days: 1 }, BY)
  const { slot } = await addSecret(stores, 'shop', BY)
  const full = { ...stores, recorded: () => stores.recorded(() => { throw new Error('the disk is full') }) }
  const read = async () => JSON.stringify([
    await stores.roles.list(), await stores.users.list(), await stores.clients.list(), await stores.registrationTokens.list(),
    await stores.clientSecrets.list('shop'), await stores.signingKeys.list(), (await stores.users.find('ann'))?.epoch, await stores.audit.count()
  ])
  const before = await read()
  const actions: Record<string, () => Promise<unknown>> = {
    'role add': () => addRole(full, { name: 'reader', scopes: 'b' }, BY),
    'role change': () => changeRole(full, 'editor', { scopes: 'b' }, BY),
    'role remove': () => removeRole(full, 'editor', BY),
    'user add': () => addUser(full, { username: 'ben', ...PASSWORD }, BY),
    'user passwd': () => setPassword(full, 'ann', { ...PASSWORD, password: 'correct horse 2', readConfig: loadConfig }, BY),
    'user update': () => updateUser(full, 'ann', { attributes: { name: 'Ann' }, config: loadConfig }, BY),
    'user update --add-role --name': () =>
      updateUser(full, 'ann', { attributes: { name: 'Ann' }, config: loadConfig, roles: { add: ['editor'], remove: [] } }, BY),
    'user update --add-role': () => updateUser(full, 'ann', { attributes: {}, config: loadConfig, roles: ['editor'] }, BY),
    'user rename': () => renameUser(full, 'ann', 'anna', BY),
    'user disable': () => setUserDisabled(full, 'ann', true, BY),
    'user sign-out': () => signOutUser(full, 'ann', BY),
    'user revoke': () => revokeAccess(full, { user: 'ann', clientId: 'shop' }, BY),
    'user factor-link': () => makeFactorLink(full, 'ann', loadConfig({}), BY),
    'user remove-factors': () => removeFactors(full, 'ann', loadConfig({}), BY),
    'user remove': () => removeUser(full, 'ann', BY),
    'registration token': () => addRegistrationToken(full, { uses: 1, days: 1 }, BY),
    'registration remove': () => removeRegistrationToken(full, token.id, BY),
    'keys rotate': () => rotateKeys(full, { config: loadConfig({}), idTokens: false, delay: 0 }, BY),
    'client add --confidential': () =>
      addClient(full, { clientId: 'job', name: 'Job', grantTypes: ['client_credentials'], tokenEndpointAuthMethod: 'client_secret_basic' }, [], BY),
    'client update --auth-method none': () => updateClient(full, 'shop', { change: () => ({ tokenEndpointAuthMethod: 'none' }), schemes: [] }, BY),
    'client disable': () => setClientDisabled(full, 'shop', true, BY),
    'client revoke': () => revokeClient(full, 'shop', BY),
    'client remove': () => removeClient(full, 'shop', BY),
    'client secret add': () => addSecret(full, 'shop', BY),
    'client secret remove': () => removeSecret(full, 'shop', String(slot), BY)
  }
  for (const [name, action] of Object.entries(actions)) {
    await t.rejects(action(), { message: 'the disk is full' }, name)
    t.equal(await read(), before, name)
  }
})
