import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { countStatements, stopTime } from '@frontdesk/test-kit/cost'
import { accountKey, PER_ACCOUNT, PER_TYPED_ADDRESS } from '../../src/sign-in/account-limit.js'
import { createLimitSignIn } from '../../src/sign-in/limit-sign-in.js'
import { hashPassword } from '../../src/sign-in/password.js'
import { createSignIn } from '../../src/sign-in/sign-in.js'
import { openStores } from '../../src/stores/stores.js'
import type { Profile } from '../../src/stores/users/profiles.js'
import { Browser, build, query, withoutValues } from '../support/helper.js'
import { temporaryDatabase } from '../support/database.js'

export const onBothDatabases = true

const hashes = new Map(['ann', 'bob', 'cy'].map(name => [name, hashPassword(`password of ${name}`)]))

/** What checks passwords, without HTTP. */
async function prepare (t: Test) {
  const stores = await openStores(await temporaryDatabase(t))
  t.teardown(() => stores.close())
  const add = async (username: string, profile: Partial<Profile>, of = username) => {
    const id = randomUUID()
    await stores.users.add({ id, username, passwordHash: (await hashes.get(of))!, demo: false, ...profile })
    return id
  }
  const signIn = createSignIn(stores.users, createLimitSignIn(stores.throttles))
  let last = 0
  const from = () => `10.0.${last >> 8}.${last++ & 255}`
  const attempt = async (username: string, password: string, address = from()) =>
    await signIn({ username, password }, { address, isGone: () => false })
  /** Who signs in with this name and the password of one of these users. */
  const whoIs = async (typed: string) => {
    const results = await Promise.all([...hashes.keys()].map(name => attempt(typed, `password of ${name}`)))
    return results.flatMap(result => result.outcome === 'signed in' ? [result.user.username] : [])
  }
  return { stores, add, attempt, whoIs }
}

t.test('a verified address signs in, in any ASCII case and with spaces around it', async t => {
  const { add, whoIs } = await prepare(t)
  await add('ann', { email: 'Ann@Example.com', emailVerified: true })
  await add('bob', { email: 'bob@example.com', emailVerified: false })
  await add('cy', { email: 'Jörg@example.com', emailVerified: true })
  for (const typed of ['ann@example.com', 'ANN@EXAMPLE.COM', ' Ann@Example.com ']) t.same(await whoIs(typed), ['ann'], typed)
  t.same(await whoIs('bob@example.com'), [], 'not an address that is not verified')
  for (const typed of ['jörg@EXAMPLE.com', 'jo\u0308rg@example.com']) t.same(await whoIs(typed), ['cy'], typed)
  t.same(await whoIs('JÖRG@example.com'), [], 'letters outside ASCII have their case')
  t.same(await whoIs('Ａnn@example.com'), [], 'and their width')
})

t.test('a user name always wins, also that of a disabled user', async t => {
  const { add, stores, whoIs } = await prepare(t)
  await add('ann', { email: 'ann@example.com', emailVerified: true })
  t.same(await whoIs('ann@example.com'), ['ann'])
  await add('ANN@example.com', {}, 'bob')
  t.same(await whoIs('ann@example.com'), ['ANN@example.com'])
  await stores.users.setDisabled('ann@example.com', new Date())
  t.same(await whoIs('ann@example.com'), [])
})

t.test('an address of several enabled users is none\'s', async t => {
  const { add, stores, whoIs } = await prepare(t)
  for (const name of ['ann', 'bob', 'cy']) await add(name, { email: 'desk@example.com', emailVerified: true })
  t.same(await whoIs('desk@example.com'), [])
  await stores.users.setDisabled('cy', new Date())
  t.same(await whoIs('desk@example.com'), [])
  await stores.users.setDisabled('bob', new Date())
  t.same(await whoIs('desk@example.com'), ['ann'])
  await stores.users.setDisabled('bob', null)
  await stores.profiles.change('bob', { emailVerified: false })
  t.same(await whoIs('desk@example.com'), ['ann'])
})

t.test('an address that becomes verified for a second user meanwhile is the first one\'s or no one\'s, and then no one\'s', async t => {
  const { add, stores, whoIs } = await prepare(t)
  await add('ann', { email: 'desk@example.com', emailVerified: true })
  await add('bob', { email: 'desk@example.com', emailVerified: false })
  for (let round = 0; round < 25; round++) {
    const [, ...found] = await Promise.all([
      stores.profiles.change('bob', { emailVerified: true }),
      ...Array.from({ length: 16 }, () => stores.users.findForSignIn('desk@example.com'))
    ])
    t.same(found.filter(user => user !== null && user.username !== 'ann'), [])
    if (round % 5 === 0) t.same(await whoIs('desk@example.com'), [])
    t.equal(await stores.users.findForSignIn('desk@example.com'), null)
    await stores.profiles.change('bob', { emailVerified: false })
  }
})

t.test('guesses by the name and by the address count for one user; guesses at an address of no user count for what was typed', async t => {
  const { add, attempt, stores } = await prepare(t)
  await add('ann', { email: 'ann@example.com', emailVerified: true })
  const source = '192.0.2.1'
  const typed = ['ann', 'ann@example.com', 'ANN@example.com', 'Ann', 'ann@example.com']
  for (const username of typed) t.equal((await attempt(username, 'wrong', source)).outcome, 'wrong')
  for (const username of typed) t.equal((await attempt(username, 'password of ann', source)).outcome, 'throttled', username)
  for (let count = 0; count < 5; count++) t.equal((await attempt('none@example.com', 'wrong', source)).outcome, 'wrong')
  t.equal((await attempt('NONE@example.com', 'wrong', source)).outcome, 'throttled')
  await stores.throttles.under(PER_ACCOUNT[0]!).reset(accountKey('ann', source))
  await stores.throttles.under(PER_TYPED_ADDRESS[0]!).reset(accountKey('ann@example.com', source))
  t.equal((await attempt('ann@example.com', 'password of ann', source)).outcome, 'signed in', 'what an operator unlocks')
})

t.test('no spelling tells by a throttle whether a user name, a verified address or no account has it', async t => {
  const { add, attempt } = await prepare(t)
  await add('zoë', {}, 'ann')
  await add('bob', { email: 'Zoë@example.com', emailVerified: true })
  await add('cy@example.com', { email: 'cy@example.com', emailVerified: true }, 'cy')
  const kinds = ['zoë', 'Zoë@example.com', 'cy@example.com', 'nobody', 'nöbody@example.com']
  const wide = (name: string) => name.replace(/[a-z]/g, letter => String.fromCodePoint(letter.codePointAt(0)! + 0xFEE0))
  const spellings = [(name: string) => name, wide, (name: string) => name.toUpperCase(), (name: string) => wide(name).toUpperCase()]
  for (const [kind, name] of kinds.entries()) {
    for (const [index, spell] of spellings.entries()) {
      const source = `192.0.2.${kind * spellings.length + index}`
      for (let count = 0; count < 5; count++) t.equal((await attempt(spell(name), 'wrong', source)).outcome, 'wrong', spell(name))
      for (const other of spellings) t.equal((await attempt(other(name), 'wrong', source)).outcome, 'throttled', `${spell(name)} ${other(name)}`)
    }
  }
})

t.test('of 64 guesses at once, by the name and by the address, five are checked', async t => {
  const { add, attempt } = await prepare(t)
  await add('ann', { email: 'ann@example.com', emailVerified: true })
  const guesses = await Promise.all(Array.from({ length: 64 }, (_, index) =>
    attempt(['ann', 'ann@example.com'][index % 2]!, 'wrong', '192.0.2.1')))
  t.equal(guesses.filter(({ outcome }) => outcome === 'wrong').length, 5)
})

t.test('every kind of name costs as many statements, one answer and one hash', async t => {
  stopTime(t)
  const { app, stores } = await build(t)
  const passwordHash = await hashPassword('correct horse')
  const users = [
    ['bob', 'bob@example.com', true], ['cy', 'cy@example.com', false], ['d1', 'd@example.com', true], ['d2', 'd@example.com', true]
  ] as const
  for (const [username, email, emailVerified] of users) {
    await stores.users.add({ id: username, username, passwordHash, demo: false, email, emailVerified })
  }
  const bodies = new Set<string>()
  const counts = new Set<number>()
  for (const [index, username] of ['first', 'ann', 'nobody', 'bob@example.com', 'cy@example.com', 'd@example.com', 'e@example.com', ''].entries()) {
    const browser = new Browser(app, `192.0.2.${index}`)
    const transaction = await browser.consent()
    const count = await countStatements(async () => {
      const answer = await browser.post(`/consent?${query()}`, { transaction, decision: 'allow', username, password: 'wrong' })
      t.equal(answer.statusCode, 403)
      bodies.add(withoutValues(answer))
    })
    // The first one also looks for imported hashes, for the next ten seconds.
    if (index > 0) counts.add(count)
  }
  t.equal(bodies.size, 1)
  t.equal(counts.size, 1, [...counts].join(', '))
})
