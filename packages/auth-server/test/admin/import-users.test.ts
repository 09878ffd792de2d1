import t, { type Test } from 'tap'
import { importUsers, type ImportedPerson, type ImportOptions } from '../../src/admin/import-users.js'
import { removeUser, updateUser } from '../../src/admin/users.js'
import { loadConfig } from '../../src/config.js'
import { addRole } from '../../src/admin/roles.js'
import { openStores } from '../../src/stores/stores.js'
import { longTimeouts, temporaryDatabase } from '../support/database.js'
import { CHEAP_HASH } from '../support/foreign-hashes.js'

export const onBothDatabases = true

const BY = { kind: 'shell', name: 'operator' } as const
const OPTIONS: ImportOptions = { key: 'May' }

async function open (t: Test, url?: string) {
  const stores = await openStores(url ?? await temporaryDatabase(t), longTimeouts)
  t.teardown(() => stores.close())
  const run = async (people: ImportedPerson[], options = {}) => await importUsers(stores, people, { ...OPTIONS, ...options }, BY)
  return { stores, run }
}

t.test('users come with attributes, hash and roles; a second import with the key leaves them as they are', async t => {
  const { stores, run } = await open(t)
  await addRole(stores, { name: 'editor', scopes: 'customer:write' }, BY)
  const ann = { username: 'Ann', name: 'Ann Example', email: 'ann@example.com', emailVerified: true, roles: ['editor'], passwordHash: CHEAP_HASH }
  const people: ImportedPerson[] = [ann, { username: 'bob', disabled: true }]
  t.match(await run(people, { dryRun: true }), { added: 2, present: 0, withoutPassword: 1, errors: [] })
  t.equal(await stores.users.find('ann'), null)
  t.match(await run(people), { added: 2, present: 0, withoutPassword: 1, errors: [], missingRoles: {} })
  const user = await stores.users.find('ann')
  t.match(user, { passwordHash: CHEAP_HASH, foreignCost: 800, passwordSetAt: Date, disabledAt: null, epoch: 0 })
  t.match(await stores.profiles.findAny('ann'), { name: 'Ann Example', email: 'ann@example.com', emailVerified: false }, 'the address is not trusted')
  t.same(await stores.roles.of(user?.id ?? ''), ['editor'])
  t.match(await stores.users.find('bob'), { foreignCost: null, passwordSetAt: null, disabledAt: Date })
  await stores.users.rename('ann', 'anna')
  t.match(await run([...people, { username: 'cy' }]), { added: 1, present: 2, errors: [] })
  t.match(await stores.users.find('anna'), { id: user?.id })
  t.match(await run([{ username: 'ANNA' }], { key: 'June' }), {
    added: 0, errors: [{ index: 0, errors: [{ field: 'username', detail: { sentence: /^Another user has this user name/ } }] }]
  })
  t.match(await stores.audit.list({}, 10), [{ details: { users: 1 } }, { event: 'user import', details: { users: 2, by: 'operator' } }, {}])
})

t.test('faults are listed for each user, and the others are imported', async t => {
  const { stores, run } = await open(t)
  await addRole(stores, { name: 'editor', scopes: 'customer:write' }, BY)
  const { added, errors, missingRoles } = await run([
    { username: '', email: 'x' },
    { username: 'ann@example.com', email: 'ann@example.com', emailVerified: true },
    { username: 'bob', passwordHash: 'secret' },
    { username: 'cy', roles: ['administrator', 'editor', 'writer', 'support', 'editor'] },
    { username: 'a\0b' }
  ])
  t.equal(added, 1)
  t.match(errors, [
    { index: 0, errors: [{ field: 'username', detail: { sentence: 'The user name is empty.' } }, { field: 'email' }] },
    { index: 1, errors: [{ field: 'username', detail: { sentence: /must be the user's own verified email address/ } }] },
    { index: 2, errors: [{ field: 'passwordHash', detail: { sentence: /must be one of: bcrypt/ } }] },
    { index: 4, errors: [{ field: 'username' }] }
  ])
  t.strictSame({ ...missingRoles }, { administrator: 1, writer: 1, support: 1 })
  t.same(await stores.roles.of((await stores.users.find('cy'))?.id ?? ''), ['editor'], 'no built-in role')
  t.match(await run([{ username: 'ann@example.com', email: 'Ann@example.com', emailVerified: true }], { trustEmails: true }), { added: 1 })
  t.match(await stores.profiles.findAny('ann@example.com'), { emailVerified: true })
  await t.rejects(run(Array.from({ length: 501 }, (_, index) => ({ username: `user${index}` }))), { message: /At most 500/ })
})

t.test('ids are kept on request, and never resemble a client_id', async t => {
  const { stores, run } = await open(t)
  const [uuid, auth0] = ['2ff4b4d0-fd72-4c6e-9684-02ab337687c2', 'auth0|507f1f77bcf86cd799439020']
  await run([{ username: 'ann', id: uuid }])
  t.not((await stores.users.find('ann'))?.id, uuid, 'not by default')
  t.match(await run([{ username: 'bob', id: uuid }, { username: 'cy', id: auth0 }, { username: 'dora' }, { username: 'eve', id: 'my-app' }], { keepIds: true }), {
    added: 2, errors: [{ index: 2, errors: [{ field: 'id' }] }, { index: 3, errors: [{ field: 'id', detail: { sentence: /^Only a UUID/ } }] }]
  })
  t.match([await stores.users.find('bob'), await stores.users.find('cy')], [{ id: uuid }, { id: auth0 }])
  t.match(await run([{ username: 'bob2', id: uuid }], { keepIds: true }), { added: 0, present: 1 })
})

t.test('two imports of the same users at once on two replicas, beside changes and removals, add each user once', async t => {
  const url = await temporaryDatabase(t)
  const [one, other] = [await open(t, url), await open(t, url)]
  await addRole(one.stores, { name: 'editor', scopes: 'customer:write' }, BY)
  const people = Array.from({ length: 200 }, (_, index): ImportedPerson => ({ username: `user${index}`, passwordHash: CHEAP_HASH, roles: ['editor'] }))
  for (let round = 0; round < 5; round++) {
    const options = { key: `round ${round}` }
    const named = people.map(person => ({ ...person, username: `${person.username} ${round}` }))
    const change = async () => {
      for (let index = 0; index < 50; index++) {
        const user = named[index]?.username ?? ''
        await updateUser(one.stores, user, { attributes: { name: 'Changed' }, config: () => loadConfig({}) }, BY).catch(() => {})
      }
    }
    const results = await Promise.all([one.run(named, options), other.run(named.toReversed(), options), change()])
    const counts = results.slice(0, 2).map(it => ({ added: it?.added ?? 0, present: it?.present ?? 0, errors: it?.errors.length }))
    for (const { added, present, errors } of counts) t.strictSame([added + present, errors], [200, 0])
    t.equal(counts[0]!.added + counts[1]!.added, 200, 'each by exactly one import')
    t.match(await one.run(named, options), { added: 0, present: 200 })
    t.equal((await one.stores.roles.people()).get('editor'), 200 * (round + 1))
  }
  await Promise.all([one.run([{ username: 'last' }]), removeUser(other.stores, 'user0 0', BY)])
  t.ok(await one.stores.users.find('last'))
})
