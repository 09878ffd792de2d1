import { countStatements, stopTime } from '@frontdesk/test-kit/cost'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import type { Profile } from '../../src/stores/users/profiles.js'
import { openStores, type Stores } from '../../src/stores/stores.js'
import { longTimeouts, temporaryDatabase } from '../support/database.js'

export const onBothDatabases = true

const [LANES, ROUNDS] = [16, 25]

const NONE: Profile = {
  name: null, givenName: null, familyName: null, email: null, emailVerified: false, locale: null, picture: null
}

/** The stores of two replicas on one database. */
async function open (t: Test): Promise<[Stores, Stores]> {
  const url = await temporaryDatabase(t)
  const open = async () => {
    const stores = await openStores(url, longTimeouts)
    t.teardown(() => stores.close())
    return stores
  }
  return [await open(), await open()]
}

async function addPerson ({ users }: Stores, username: string, profile: Partial<Profile> = {}): Promise<string> {
  const id = randomUUID()
  await users.add({ id, username, passwordHash: 'x', demo: false, ...profile })
  return id
}

t.test('a person without attributes has none; only what is given changes, and null removes', async t => {
  const [stores] = await open(t)
  const id = await addPerson(stores, 'Ann')
  const { profiles } = stores
  t.match(await profiles.find(id), { id, username: 'Ann', ...NONE })
  t.equal(await profiles.change('ANN', { name: 'Ann Example', locale: 'en', picture: 'https://ann.example/a.png' }), true)
  t.equal(await profiles.change('ann', { givenName: 'Ann', familyName: '例', locale: null }), true)
  const expected = { ...NONE, name: 'Ann Example', givenName: 'Ann', familyName: '例', picture: 'https://ann.example/a.png' }
  t.match(await profiles.find(id), { id, username: 'Ann', ...expected })
  t.match(await profiles.findAny('ann'), { id, username: 'Ann', ...expected })
})

t.test('a person is registered with attributes in one statement', async t => {
  const [stores] = await open(t)
  const profile = { ...NONE, name: 'Ann', email: 'ann@example.com', emailVerified: true }
  const id = await addPerson(stores, 'ann', profile)
  t.match(await stores.profiles.find(id), profile)
  t.equal(await stores.users.add({ id: randomUUID(), username: 'ANN', passwordHash: 'x', demo: false, name: 'Other' }), false)
  t.match(await stores.profiles.find(id), profile)
})

t.test('a person who is unknown, removed or disabled is not found; an operator finds a disabled one', async t => {
  const [stores] = await open(t)
  const { profiles, users } = stores
  for (const unknown of ['nobody', '', 'a\0']) {
    t.equal(await profiles.find(unknown), null)
    t.equal(await profiles.findAny(unknown), null)
  }
  t.equal(await profiles.change('nobody', { name: 'Nobody' }), false)
  const id = await addPerson(stores, 'ann', { name: 'Ann' })
  await users.setDisabled('ann', new Date())
  t.equal(await profiles.find(id), null)
  t.match(await profiles.findAny('ann'), { id, name: 'Ann' })
  t.equal(await profiles.change('ann', { name: 'Anna' }), true)
  await users.setDisabled('ann', null)
  t.match(await profiles.find(id), { name: 'Anna' })
  await users.remove('ann')
  t.equal(await profiles.find(id), null)
})

t.test('a change sets the time by the clock of the database', async t => {
  const [stores] = await open(t)
  const id = await addPerson(stores, 'ann')
  const before = stores.clock.now().getTime()
  await stores.profiles.change('ann', { name: 'Ann' })
  const { updatedAt } = (await stores.profiles.find(id))!
  t.ok(updatedAt.getTime() >= before - 1_000 && updatedAt.getTime() <= stores.clock.now().getTime() + 1_000, updatedAt.toISOString())
})

t.test('an email address is verified only while it is the one that was verified', async t => {
  const [stores] = await open(t)
  const rows: Array<[before: Partial<Profile>, change: Partial<Profile>, after: Partial<Profile>]> = [
    [{}, { email: 'a@b' }, { email: 'a@b', emailVerified: false }],
    [{}, { email: 'a@b', emailVerified: true }, { email: 'a@b', emailVerified: true }],
    [{}, { emailVerified: true }, { email: null, emailVerified: false }],
    [{ email: 'a@b' }, { emailVerified: true }, { email: 'a@b', emailVerified: true }],
    [{ email: 'a@b', emailVerified: true }, { name: 'Ann' }, { email: 'a@b', emailVerified: true }],
    [{ email: 'a@b', emailVerified: true }, { email: 'a@b' }, { email: 'a@b', emailVerified: true }],
    [{ email: 'a@b', emailVerified: true }, { email: 'A@b' }, { email: 'A@b', emailVerified: false }],
    [{ email: 'a@b', emailVerified: true }, { email: 'c@d', emailVerified: true }, { email: 'c@d', emailVerified: true }],
    [{ email: 'a@b', emailVerified: true }, { email: 'a@b', emailVerified: false }, { email: 'a@b', emailVerified: false }],
    [{ email: 'a@b', emailVerified: true }, { emailVerified: false }, { email: 'a@b', emailVerified: false }],
    [{ email: 'a@b', emailVerified: true }, { email: null }, { email: null, emailVerified: false }],
    [{ email: 'a@b', emailVerified: true }, { email: null, emailVerified: true }, { email: null, emailVerified: false }]
  ]
  for (const [index, [before, change, after]] of rows.entries()) {
    const id = await addPerson(stores, `person ${index}`, before)
    await stores.profiles.change(`person ${index}`, change)
    t.match(await stores.profiles.find(id), after, JSON.stringify([before, change]))
  }
})

t.test('people who are looked up at once share a statement', async t => {
  stopTime(t)
  const [stores] = await open(t)
  const ids = await Promise.all(Array.from({ length: 40 }, (_, i) => addPerson(stores, `person ${i}`, { name: `${i}` })))
  const asked = [...ids, ids[0]!, 'nobody']
  let found: Array<string | null | undefined> = []
  const statements = await countStatements(async () => {
    found = await Promise.all(asked.map(async id => (await stores.profiles.find(id))?.name))
  })
  t.same(found, [...ids.map((_, i) => `${i}`), '0', undefined])
  t.equal(statements, 1)
})

t.test(`${LANES} lanes, ${ROUNDS} rounds: concurrent changes of different attributes at two replicas all survive`, async t => {
  const replicas = await open(t)
  const lost: string[] = []
  await Promise.all(Array.from({ length: LANES }, async (_, lane) => {
    const username = `person ${lane}`
    const id = await addPerson(replicas[0], username)
    for (let round = 0; round < ROUNDS; round++) {
      const value = `${lane}-${round}`
      const changes: Array<Partial<Profile>> = [
        { name: value }, { email: `${value}@example.com` }, { givenName: value }, { locale: value }
      ]
      await Promise.all(changes.map((change, index) => replicas[index % 2]!.profiles.change(username, change)))
      const { name, email, givenName, locale } = (await replicas[round % 2]!.profiles.find(id))!
      if (![name, givenName, locale].every(it => it === value) || email !== `${value}@example.com`) lost.push(value)
    }
  }))
  t.same(lost, [])
})

t.test(`${LANES} lanes, ${ROUNDS} rounds: a verification never passes to another address that is set at the same moment`, async t => {
  const replicas = await open(t)
  const wrong: string[] = []
  const outcomes = new Set<string>()
  await Promise.all(Array.from({ length: LANES }, async (_, lane) => {
    const username = `person ${lane}`
    const id = await addPerson(replicas[0], username)
    for (let round = 0; round < ROUNDS; round++) {
      const changes: Array<Partial<Profile>> = [{ email: 'verified@b', emailVerified: true }, { email: 'other@b' }]
      if (round % 2 === 1) changes.reverse()
      await Promise.all(changes.map((change, index) => replicas[index]!.profiles.change(username, change)))
      const { email, emailVerified } = (await replicas[0].profiles.find(id))!
      outcomes.add(`${email}`)
      if (emailVerified !== (email === 'verified@b')) wrong.push(`${email}: ${emailVerified}`)
    }
  }))
  t.same(wrong, [])
  t.equal(outcomes.size, 2, 'either of them is the last')
})
