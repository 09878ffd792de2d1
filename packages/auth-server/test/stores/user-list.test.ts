import t from 'tap'
import { openStores } from '../../src/stores/stores.js'
import { longTimeouts, temporaryDatabase } from '../support/database.js'
import { client } from '../support/helper.js'

export const onBothDatabases = true

t.test('people are listed by user name in pages without gaps, and found by what they are called in any alphabet', async t => {
  const stores = await openStores(await temporaryDatabase(t), longTimeouts)
  t.teardown(() => stores.close())
  const { users, clients, consents, grants } = stores
  const add = (username: string, more: object = {}) => users.add({ id: username, username, passwordHash: '', demo: false, ...more })
  for (let number = 0; number < 25; number++) await add(`user-${number}`)
  await add('Žofie', { name: 'Žofie Nováková', email: 'ZOFIE@shop.example' })
  const seen: string[] = []
  for (let after: string | undefined; ;) {
    const page = await users.list({ after, limit: 4 })
    seen.push(...page.map(({ username }) => username))
    after = page.at(-1)?.username
    if (after === undefined) break
  }
  t.equal(seen.length, 26)
  t.equal(new Set(seen).size, 26)
  const find = async (search: string) => (await users.list({ search })).map(({ username }) => username)
  for (const text of ['žof', 'NOVÁKOVÁ', 'zofie@SHOP', ' Žofie ']) t.same(await find(text), ['Žofie'], text)
  t.equal((await find('USER-1')).length, 11)
  await stores.profiles.change('user-3', { name: 'Ørjan', email: 'orjan@shop.example' })
  t.same(await find('ørjan'), ['user-3'])
  await users.rename('user-3', 'orjan')
  t.same([await find('user-3'), await find('Ørjan')], [[], ['orjan']])
  await stores.profiles.change('orjan', { name: null })
  t.same([await find('ørjan'), await find('ORJAN@')], [[], ['orjan']])
  t.same(await users.list({ search: 'user-1', limit: 2 }), (await users.list({ search: 'user-1' })).slice(0, 2))

  await clients.put(client({ id: 'shop' }))
  t.same(await users.list({ clientId: 'shop' }), [])
  const [createdAt, expiresAt] = [new Date(Date.now() - 60_000), new Date(Date.now() + 60_000)]
  const grant = { userId: 'Žofie', clientId: 'shop', scope: 'customer:read', audience: 'api', createdAt, responseType: 'code', epoch: 0 }
  await grants.add({ ...grant, id: 'g', nonceHash: 'g', expiresAt, isSilent: false })
  await consents.add({ userId: 'Žofie', clientId: 'shop', audience: 'api', scope: ['customer:read'], allowedAt: createdAt, nonceHash: 'g' })
  t.same((await users.list({ clientId: 'shop' })).map(({ username }) => username), ['Žofie'], 'with a live grant and remembered consent')
  await stores.authorizedApps.remove('Žofie', 'shop')
  t.same(await users.list({ clientId: 'shop' }), [])
})
