import t, { type Test } from 'tap'
import { readEmail } from '../../src/oauth/user-rules.js'
import { cleanUp } from '../../src/plugins/clean-up.js'
import { openStores, type Stores } from '../../src/stores/stores.js'
import { connectTo, longTimeouts, onPostgresql, temporaryDatabase } from '../support/database.js'

export const onBothDatabases = true

const HOUR_MS = 3_600_000
const fifty = Array.from({ length: 50 }, (_, i) => i)
const inAnHour = () => new Date(Date.now() + HOUR_MS)

async function begin (t: Test) {
  const url = await temporaryDatabase(t)
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  let ids = 0
  /** Signs up, with a link of its own unless another one is given. */
  const signUp = async (
    user: { username: string, email: string, termsVersion?: string }, link: { idHash?: string, codeHash?: string, needsCode?: boolean } = {}
  ) => {
    const id = `id-${++ids}`
    return await stores.signUps.add(
      { id, passwordHash: 'x', ...user },
      { idHash: link.idHash ?? `link ${id}`, keptUntil: inAnHour(), codeHash: link.codeHash, needsCode: link.needsCode ?? link.codeHash !== undefined }
    )
  }
  return { url, stores, signUp }
}

const count = (outcomes: unknown[], wanted: unknown) => outcomes.filter(it => JSON.stringify(it) === JSON.stringify(wanted)).length

const code = (changes: Partial<Parameters<Stores['signUpCodes']['add']>[0]> = {}) =>
  ({ id: '1', hash: 'code', label: 'Partners', usesLeft: 3, role: null, userId: null, clientId: null, createdAt: new Date(), expiresAt: inAnHour(), ...changes })

t.test('of 50 uses of one link at once, one adds a user', async t => {
  const { stores, signUp } = await begin(t)
  const outcomes = await Promise.all(fifty.map(i => signUp({ username: `user ${i}`, email: 'new@example.com' }, { idHash: 'same' })))
  t.equal(count(outcomes, { codeId: null }), 1)
  t.equal(count(outcomes, 'ended link'), 49)
  t.equal((await stores.users.list()).length, 1)
  t.equal(await signUp({ username: 'later', email: 'new@example.com' }, { idHash: 'same' }), 'ended link')
})

t.test('of 50 links to one address at once, in any spelling, one adds a user; the address is verified', async t => {
  const { stores, signUp } = await begin(t)
  const spellings = ['new@k\u00f6ln.example', 'New@KO\u0308LN.Example.', 'new@xn--kln-sna.example', 'NEW@\uff4b\u00f6ln.example']
  const outcomes = await Promise.all(fifty.map(i => signUp({ username: `user ${i}`, email: readEmail(spellings[i % 4]!) })))
  t.equal(count(outcomes, { codeId: null }), 1)
  t.equal(count(outcomes, 'known address'), 49)
  const [user] = await stores.users.list()
  t.match(await stores.profiles.findAny({ id: user!.id }), { emailVerified: true })
})

t.test('of 50 people who want one user name at once, in any spelling, one gets it; the others can use their links again', async t => {
  const { stores, signUp } = await begin(t)
  await stores.signUpCodes.add(code({ usesLeft: 2 }))
  const outcomes = await Promise.all(fifty.map(i =>
    signUp({ username: i % 2 ? 'Zoë' : 'ZOË', email: `user-${i}@example.com` }, { idHash: `link of ${i}`, codeHash: 'code' })))
  t.equal(count(outcomes, { codeId: '1' }), 1)
  t.equal(count(outcomes, 'taken name') + count(outcomes, 'used code'), 49)
  t.match(await stores.signUpCodes.list(), [{ usesLeft: 1 }], 'a use that adds no one is not taken')
  const other = outcomes.findIndex(it => typeof it === 'string')
  t.same(await signUp({ username: 'another', email: `user-${other}@example.com` }, { idHash: `link of ${other}`, codeHash: 'code' }), { codeId: '1' })
})

t.test('of 50 people with one code at once, as many sign up as it has uses', async t => {
  const { stores, signUp } = await begin(t)
  await stores.signUpCodes.add(code())
  const outcomes = await Promise.all(fifty.map(i => signUp({ username: `user ${i}`, email: `user-${i}@example.com` }, { codeHash: 'code' })))
  t.equal(count(outcomes, { codeId: '1' }), 3)
  t.equal(count(outcomes, 'used code'), 47)
  t.equal((await stores.users.list()).length, 3, 'the others left nothing')
  t.equal(await stores.signUpCodes.isLive('code'), false)
})

t.test('where no code is needed any more, people with one get its role, and those for whom it has no uses left none', async t => {
  const { stores, signUp } = await begin(t)
  await stores.roles.add('partner', ['customer:read'])
  await stores.signUpCodes.add(code({ role: 'partner' }))
  const outcomes = await Promise.all(fifty.map(i =>
    signUp({ username: `user ${i}`, email: `user-${i}@example.com` }, { codeHash: 'code', needsCode: false })))
  t.equal(count(outcomes, { codeId: '1' }), 3)
  t.equal(count(outcomes, { codeId: null }), 47)
  t.equal((await stores.roles.people()).get('partner'), 3)
})

t.test('a code gives its role as long as the role exists; an unknown, expired or removed code gives nothing', async t => {
  const { stores, signUp } = await begin(t)
  await stores.roles.add('partner', ['customer:read'])
  await stores.signUpCodes.add(code({ role: 'partner' }))
  await stores.signUpCodes.add(code({ id: '2', hash: 'expired', expiresAt: new Date(Date.now() - 1) }))
  await signUp({ username: 'ivy', email: 'ivy@example.com' }, { codeHash: 'code' })
  t.same(await stores.roles.of((await stores.users.find('ivy'))!.id), ['partner'])
  await stores.roles.remove('partner')
  await signUp({ username: 'joe', email: 'joe@example.com' }, { codeHash: 'code' })
  t.same(await stores.roles.of((await stores.users.find('joe'))!.id), [])
  for (const codeHash of ['expired', 'unknown', '']) {
    t.equal(await signUp({ username: 'kim', email: 'kim@example.com' }, { codeHash }), 'used code')
    t.equal(await stores.signUpCodes.isLive(codeHash), false)
  }
  t.equal(await stores.signUpCodes.remove('1'), true)
  t.equal(await signUp({ username: 'kim', email: 'kim@example.com' }, { codeHash: 'code' }), 'used code')
  t.equal(await stores.users.find('kim'), null)
})

if (onPostgresql) {
  t.test('a replica whose clock is wrong admits with the same codes, and no longer', async t => {
    const { url, stores } = await begin(t)
    await stores.signUpCodes.add(code())
    for (const days of [100, -100]) {
      const replica = await openStores(url, { ...longTimeouts, clock: () => Date.now() + days * 24 * HOUR_MS })
      t.equal(await replica.signUpCodes.isLive('code'), true)
      const user = { id: `id ${days}`, username: `user ${days}`, passwordHash: 'x', email: `user${days}@example.com` }
      t.same(await replica.signUps.add(user, { idHash: `link ${days}`, keptUntil: inAnHour(), codeHash: 'code', needsCode: true }), { codeId: '1' })
      await replica.close()
    }
    t.match(await stores.signUpCodes.list(), [{ usesLeft: 1 }])
  })
}

t.test('a verified address signs up once, even if its account is disabled; an unverified one proves nothing', async t => {
  const { stores, signUp } = await begin(t)
  const add = async (username: string, emailVerified: boolean) =>
    await stores.users.add({ id: username, username, passwordHash: 'x', demo: false, email: `${username}@example.com`, emailVerified })
  await add('disabled', true)
  await stores.users.setDisabled('disabled', new Date())
  await add('squatter', false)
  t.equal(await signUp({ username: 'a', email: 'disabled@example.com' }), 'known address')
  t.same(await signUp({ username: 'b', email: 'squatter@example.com' }), { codeId: null })
})

t.test('accepted terms are stored with the database\'s time; erasure leaves no address behind', async t => {
  const { url, stores, signUp } = await begin(t)
  await signUp({ username: 'ivy', email: 'ivy@example.com', termsVersion: '2026-11' })
  await signUp({ username: 'joe', email: 'joe@example.com' })
  const ivy = (await stores.users.find('ivy'))!
  t.equal(ivy.termsVersion, '2026-11')
  t.ok(Math.abs(Number(ivy.termsAcceptedAt) - Date.now()) < 60_000)
  t.match(await stores.users.find('joe'), { termsVersion: null, termsAcceptedAt: null })
  await stores.users.remove('ivy')
  const database = await connectTo(url)
  t.notMatch(JSON.stringify(await database.query('SELECT * FROM spent_id')), 'ivy')
  await cleanUp(stores, new Date(Date.now() + 2 * HOUR_MS))
  t.same(await database.query('SELECT * FROM spent_id'), [])
  await database.close()
  t.same(await signUp({ username: 'ivy', email: 'ivy@example.com' }), { codeId: null }, 'people can come back')
})
