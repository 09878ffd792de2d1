import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { accountPrefix, typedPrefix } from '../../src/sign-in/account-limit.js'
import { createCounters } from '../../src/sign-in/counters.js'
import { createLimitSignIn } from '../../src/sign-in/limit-sign-in.js'
import { hashOpaqueToken, randomOpaqueToken } from '../../src/sign-in/opaque-token.js'
import { hashPassword, verifyPassword } from '../../src/sign-in/password.js'
import { createSignIn } from '../../src/sign-in/sign-in.js'
import { sourceOf, sourcesOf } from '../../src/sign-in/source.js'
import { openStores } from '../../src/stores/stores.js'
import { sqliteFile } from '../support/database.js'
import { standardCost } from '../support/helper.js'

const hashed = hashPassword('pâté du chef')

/** What checks passwords, without HTTP; Ann is there, and Gone is disabled. */
async function prepare (t: Test) {
  const stores = await openStores(sqliteFile(t))
  t.teardown(() => stores.close())
  for (const username of ['Ann', 'Gone']) await stores.users.add({ id: randomUUID(), username, passwordHash: await hashed, demo: false })
  await stores.users.setDisabled('Gone', new Date())
  const signIn = createSignIn(stores.users, createLimitSignIn(stores.throttles))
  const attempt = async (username: string, password = 'wrong', address = '192.0.2.1', isGone = () => false) => await signIn({ username, password }, { address, isGone })
  return { stores, attempt, ann: (await stores.users.find('ann'))!, gone: (await stores.users.find('gone'))! }
}

t.test('where an attempt comes from: an address, or the /64, /56 and /48 of one of IPv6', async t => {
  const rows: Array<[address: string, sources: string[]]> = [
    ['192.0.2.1', ['192.0.2.1']], ['::ffff:192.0.2.1', ['192.0.2.1']], ['192.0.2.1:5678', ['192.0.2.1']], ['"192.0.2.1:_port"', ['192.0.2.1']],
    ['2001:db8:12:3456:789a::1', ['2001:db8:12:3456::/64', '2001:db8:12:3400::/56', '2001:db8:12::/48']],
    ['[2001:db8:ff:ffff::1]:443', ['2001:db8:ff:ffff::/64', '2001:db8:ff:ff00::/56', '2001:db8:ff::/48']], ['"[2001:db8::1]"', ['2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0::/48']],
    ...['', 'unknown', '_hidden', '1.2.3.4, 5.6.7.8', 'x192.0.2.1', '192.0.2.1:5 6', '[192.0.2.1', '2001:db8::1:x'].map((odd): [string, string[]] => [odd, ['unknown']])
  ]
  for (const [address, sources] of rows) {
    t.strictSame(sourcesOf(address), sources, address)
    t.equal(sourceOf(address), sources[0])
  }
})

t.test('a password is hashed with argon2id after NFC, and is never that of an account that does not exist', async t => {
  standardCost(t)
  const hashed = await hashPassword('pâté du chef')
  t.match(hashed, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  t.equal(await verifyPassword(hashed, 'pa\u0302te\u0301 du chef'), true)
  t.equal(await verifyPassword(await hashPassword('pa\u0302te\u0301 du chef'), 'pâté du chef'), true)
  for (const password of ['', 'pate du chef', 'Pâté du chef']) t.equal(await verifyPassword(hashed, password), false)
  for (const password of ['', 'x']) t.equal(await verifyPassword(undefined, password), false)
})

t.test('values that cannot be guessed, of which the hash is stored', async t => {
  t.match(randomOpaqueToken(), /^[\w-]{43}$/)
  t.not(randomOpaqueToken(), randomOpaqueToken())
  t.equal(hashOpaqueToken('abc'), 'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0')
})

t.test('the right password signs in, under the name in any form', async t => {
  const { attempt, ann } = await prepare(t)
  for (const username of ['Ann', 'ann', 'ＡＮＮ']) t.match(await attempt(username, 'pâté du chef'), { outcome: 'signed in', user: { id: ann.id } }, username)
})

t.test('a wrong attempt returns the account that was tried, for the audit trail', async t => {
  const { attempt, ann, gone } = await prepare(t)
  t.strictSame(await attempt('ann'), { outcome: 'wrong', userId: ann.id })
  t.strictSame(await attempt('nobody', 'pâté du chef'), { outcome: 'wrong', userId: null })
  t.strictSame(await attempt('gone', 'pâté du chef'), { outcome: 'wrong', userId: gone.id }, 'disabled')
  t.strictSame(await attempt('ann', 'x'.repeat(1_025)), { outcome: 'wrong', userId: ann.id })
})

t.test('a password of 1024 bytes is looked at, and no longer one', async t => {
  const { attempt, stores } = await prepare(t)
  for (const [username, length] of [['long', 1_024], ['longer', 1_025]] as const) {
    await stores.users.add({ id: randomUUID(), username, passwordHash: await hashPassword('x'.repeat(length)), demo: false })
    t.match(await attempt(username, 'x'.repeat(length)), { outcome: length === 1_024 ? 'signed in' : 'wrong' }, username)
  }
})

t.test('five failures on an account stop the source there, in any form of the name; a right password forgives them', async t => {
  const { attempt } = await prepare(t)
  for (let i = 0; i < 4; i++) t.match(await attempt(['ann', 'ANN', 'ＡＮＮ', 'Ann'][i]!), { outcome: 'wrong' })
  t.match(await attempt('ann', 'pâté du chef'), { outcome: 'signed in' })
  for (let i = 0; i < 5; i++) t.match(await attempt('ann'), { outcome: 'wrong' })
  const refused = await attempt('ann', 'pâté du chef')
  t.match(refused, { outcome: 'throttled', retryAfter: Number })
  t.ok('retryAfter' in refused && refused.retryAfter > 890 && refused.retryAfter <= 900)
  t.match(await attempt('ann', 'pâté du chef', '192.0.2.2'), { outcome: 'signed in' }, 'elsewhere')
  t.match(await attempt('other'), { outcome: 'wrong' }, 'another account')
})

t.test('30 failures of a source on any accounts stop it; what an account refuses does not count', async t => {
  const { attempt } = await prepare(t)
  for (let i = 0; i < 40; i++) await attempt('ann')
  for (let i = 0; i < 25; i++) t.match(await attempt(`user ${i}`), { outcome: 'wrong' }, `${i}`)
  t.match(await attempt('one more'), { outcome: 'throttled', retryAfter: Number })
  t.match(await attempt('ann', 'pâté du chef', '192.0.2.2'), { outcome: 'signed in' })
})

t.test('a source that is stopped leaves no counters, however many names it tries', async t => {
  for (const address of ['192.0.2.1', '2001:db8:12:3456::1']) {
    const { attempt, stores } = await prepare(t)
    for (let i = 0; i < 30; i++) await attempt(`user${i}@example.com`, 'wrong', address)
    const left = async (name: string) =>
      [...await stores.counters.find(accountPrefix(name)), ...await stores.counters.find(typedPrefix(name))]
    const before = await left('user1@example.com')
    t.equal(before.length, 2 * sourcesOf(address).length)
    for (let i = 0; i < 50; i++) t.match(await attempt(`name${i}@example.com`, 'wrong', address), { outcome: 'throttled' })
    for (let i = 0; i < 50; i++) t.strictSame(await left(`name${i}@example.com`), [])
    await attempt('user1@example.com', 'wrong', address)
    t.equal((await left('user1@example.com')).length, before.length, 'failures stay')
  }
})

t.test('right passwords use nothing up', async t => {
  const { attempt } = await prepare(t)
  for (let i = 0; i < 35; i++) t.match(await attempt('ann', 'pâté du chef'), { outcome: 'signed in' })
})

t.test('of a /56 ten and of a /48 twenty guesses at an account are checked', async t => {
  const { attempt } = await prepare(t)
  const count = async (addresses: string[]) => {
    let checked = 0
    for (const address of addresses) if ((await attempt('ann', 'wrong', address)).outcome === 'wrong') checked++
    return checked
  }
  const inSite = (site: string, step: number, many: number) => Array.from({ length: many }, (_, i) => `2001:db8:${site}:${(i * step).toString(16)}::1`)
  t.equal(await count(inSite('1', 1, 12)), 10)
  t.equal(await count(inSite('2', 256, 23)), 20)
})

t.test('of one source, four attempts run, 60 wait, and the others are refused', async t => {
  const { attempt, stores } = await prepare(t)
  let open = () => {}
  const opened = new Promise<void>(resolve => { open = resolve })
  const find = stores.users.findForSignIn.bind(stores.users)
  let looked = 0
  let reach = () => {}
  const reached = new Promise<void>(resolve => { reach = resolve })
  stores.users.findForSignIn = async username => {
    if (++looked === 4) reach()
    await opened
    return await find(username)
  }
  const attempts = Array.from({ length: 64 }, async () => await attempt('ann', 'pâté du chef'))
  await reached
  t.strictSame(await attempt('ann', 'pâté du chef'), { outcome: 'busy' })
  t.equal(looked, 4)
  open()
  t.same(new Set((await Promise.all(attempts)).map(({ outcome }) => outcome)), new Set(['signed in']))
})

t.test('a caller who has gone is not looked at, and nothing counts', async t => {
  const { attempt, stores } = await prepare(t)
  const looked: string[] = []
  const find = stores.users.findForSignIn.bind(stores.users)
  stores.users.findForSignIn = async username => { looked.push(String(username)); return await find(username) }
  for (let i = 0; i < 10; i++) t.strictSame(await attempt('ann', 'wrong', '192.0.2.1', () => true), { outcome: 'busy' })
  t.same(looked, [])
  for (let i = 0; i < 40; i++) {
    let asked = 0
    t.strictSame(await attempt('ann', 'wrong', '192.0.2.1', () => ++asked > 1), { outcome: 'busy' }, 'gone while its password waited')
  }
  t.match(await attempt('ann', 'pâté du chef'), { outcome: 'signed in' })
})

t.test('counters from narrow to wide: the longest wait and the largest share, and no more of the wider than is due', async t => {
  const { stores } = await prepare(t)
  const throttles = [2, 3].map(points => stores.throttles.under({ name: 'test', points, duration: 60 }))
  const narrow = createCounters(throttles, ['narrow', 'wide'])
  const used = async () => (await narrow.count()).used
  t.strictSame(await narrow.count(), { retryAfter: 0, used: 0 })
  t.equal(await used(), 0.5)
  const refused = await narrow.count()
  t.ok(refused.retryAfter > 55 && refused.retryAfter <= 60)
  t.equal(refused.used, 1)
  await narrow.takeBack()
  const other = createCounters(throttles, ['other', 'wide'])
  t.ok(Math.abs((await other.count()).used - 2 / 3) < 0.01, 'what the narrow one refuses does not count for the wide one, and is not taken back twice')
  t.ok((await other.count()).retryAfter > 0, 'the wide one is used up')
  await other.takeBack()
  await other.takeBack()
  await narrow.reset()
  t.ok(Math.abs(await used() - 1 / 3) < 0.01, 'the narrow one is forgotten, of the wide one there is one less')
  t.strictSame(await createCounters(throttles, ['alone']).count(), { retryAfter: 0, used: 0 }, 'an address has no wider source')
})

t.test('right passwords at once are not throttled, however slowly the database takes their counts back', async t => {
  const { stores } = await prepare(t)
  const throttles: typeof stores.throttles = {
    ...stores.throttles,
    under (limit) {
      const throttle = stores.throttles.under(limit)
      const late = (undo: (key: string) => Promise<void>) => async (key: string) => { await setTimeout(50); await undo(key) }
      return { ...throttle, takeBack: late(throttle.takeBack), reset: late(throttle.reset) }
    }
  }
  const signIn = createSignIn(stores.users, createLimitSignIn(throttles))
  const attempts = Array.from({ length: 40 }, () => signIn({ username: 'ann', password: 'pâté du chef' }, { address: '192.0.2.1', isGone: () => false }))
  t.same(new Set((await Promise.all(attempts)).map(({ outcome }) => outcome)), new Set(['signed in']))
})
