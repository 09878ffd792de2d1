import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createEvenTime } from '../../src/sign-in/even-time.js'
import { readForeignHash } from '../../src/sign-in/foreign-hash.js'
import { createLimitSignIn } from '../../src/sign-in/limit-sign-in.js'
import { dummyHash, hashPassword } from '../../src/sign-in/password.js'
import { createSignIn } from '../../src/sign-in/sign-in.js'
import { openStores } from '../../src/stores/stores.js'
import { sqliteFile } from '../support/database.js'

/** bcrypt with the lowest cost, of no known password. */
const SLOW = `$2b$04$${'a'.repeat(21)}e${'a'.repeat(31)}`

/** What waits, with a clock and an imported hash that the test sets. */
function prepare (slowest: { passwordHash: string, foreignCost: number } | null) {
  const state = { slowest, own: 1, time: 0, waited: [] as number[], found: 0, measured: [] as string[] }
  const waitForInterval = createEvenTime({ findSlowestHash: async () => { state.found++; return state.slowest } }, {
    measure: async hash => {
      if (hash === dummyHash()) return state.own
      state.measured.push(hash)
      return 100
    },
    now: () => state.time,
    wait: async (ms: number | undefined) => { state.waited.push(ms ?? 0) }
  } as Parameters<typeof createEvenTime>[1])
  return { state, waitForInterval }
}

t.test('a failed sign-in ends at a multiple of four times what a check of the slowest imported hash takes', async t => {
  const { state, waitForInterval } = prepare({ passwordHash: 'slow', foreignCost: 5 })
  for (const [elapsed, waited] of [[8, 392], [100, 300], [200, 200], [399, 1], [401, 399], [799, 1]] as const) {
    state.time = 1_000 + elapsed
    await waitForInterval(1_000)
    t.equal(state.waited.at(-1), waited, `after ${elapsed} ms`)
  }
  t.strictSame(state.measured, ['slow'], 'measured once')
})

t.test('an imported hash that is faster than our own does not end sooner', async t => {
  const { state, waitForInterval } = prepare({ passwordHash: 'fast', foreignCost: 1 })
  state.own = 150
  for (const [elapsed, waited] of [[5, 595], [150, 450]] as const) {
    state.time = 1_000 + elapsed
    await waitForInterval(1_000)
    t.equal(state.waited.at(-1), waited, `after ${elapsed} ms`)
  }
})

t.test('it stops waiting once no imported hash is left, and looks for one every ten seconds', async t => {
  const { state, waitForInterval } = prepare({ passwordHash: 'slow', foreignCost: 5 })
  for (let count = 0; count < 3; count++) await waitForInterval(0)
  state.slowest = null
  await waitForInterval(0)
  t.equal(state.waited.length, 4)
  t.equal(state.found, 1)
  state.time = 10_001
  await waitForInterval(10_000)
  t.equal(state.waited.length, 4)
  t.equal(state.found, 2)
  state.slowest = { passwordHash: 'slower', foreignCost: 9 }
  state.time = 20_002
  await waitForInterval(20_000)
  t.equal(state.waited.length, 5)
  t.strictSame(state.measured, ['slow', 'slower'])
})

t.test('after a database failure, the next failed sign-in looks again', async t => {
  let isDown = true
  const waitForInterval = createEvenTime({
    findSlowestHash: async () => { if (isDown) throw new Error('down'); return null }
  })
  await t.rejects(waitForInterval(0), { message: 'down' })
  isDown = false
  await waitForInterval(0)
})

t.test('every failed sign-in waits once, from the begin of its check, and no other does', async t => {
  const stores = await openStores(sqliteFile(t))
  t.teardown(() => stores.close())
  const read = readForeignHash(SLOW)
  if (!('passwordHash' in read)) throw new Error(read.sentence)
  const none = { name: null, givenName: null, familyName: null, email: null, emailVerified: false, locale: null, picture: null }
  await stores.users.addAll([{ id: randomUUID(), username: 'slow', ...read, passwordSetAt: new Date(), disabledAt: null, invitationDueAt: null, ...none, roles: [] }])
  for (const username of ['own', 'gone']) {
    await stores.users.add({ id: randomUUID(), username, passwordHash: await hashPassword('correct horse'), demo: false })
  }
  await stores.users.setDisabled('gone', new Date())
  const begins: number[] = []
  const signIn = createSignIn(stores.users, createLimitSignIn(stores.throttles), async startedAt => { begins.push(startedAt) })
  for (const username of ['nobody', 'slow', 'own', 'gone']) {
    const before = performance.now()
    const { outcome } = await signIn({ username, password: 'wrong' }, { address: '192.0.2.1', isGone: () => false })
    t.equal(outcome, 'wrong')
    const [begin = 0, ...more] = begins.splice(0)
    t.ok(begin >= before && begin <= performance.now() && more.length === 0, username)
  }
  const { outcome } = await signIn({ username: 'own', password: 'correct horse' }, { address: '192.0.2.1', isGone: () => false })
  t.equal(outcome, 'signed in')
  t.strictSame(begins, [])
})
