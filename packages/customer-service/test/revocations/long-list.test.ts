import type { RevocationEntry } from '@frontdesk/schemas/revocations'
import t, { type Test } from 'tap'
import type { RevocationsOptions } from '../../src/revocations/revocations.js'
import { PATH, buildOnce } from '../support/helper.js'
import { START, fakeFeed, revoked, thrownBy } from '../support/revocations/fake-feed.js'

const tooOld = { kind: { name: 'token-invalid' }, message: 'The access token is too old. Sign in again.' }
const later = { jti: 'new', grant_id: 'new', exp: START + 86_400 }

/** A feed as auth-server has it, by time; each page takes some milliseconds. Cursors are places in it, or times. */
function longFeed (t: Test, { pageMs = 0, ...options }: Partial<RevocationsOptions> & { pageMs?: number } = {}) {
  const entries: RevocationEntry[] = []
  const logged: string[] = []
  const asked: string[] = []
  const write = (details: object, message: string) => { logged.push(message) }
  const feed = fakeFeed(t, {
    log: { info: write, warn: write },
    async fetch (url, after) {
      asked.push(after)
      if (feed.state.isAway) throw new Error('away')
      feed.pass(pageMs)
      const now = Math.floor((START * 1_000 + feed.state.monotonic) / 1_000)
      // A cursor is a time in milliseconds, or a place after `p`.
      const from = after.startsWith('p') ? Number(after.slice(1)) : entries.findIndex(({ at = now }) => at * 1_000 >= Number(after))
      const begin = from === -1 ? entries.length : from
      const more = entries.length > begin + 500
      return { revoked: entries.slice(begin, begin + 500), next: more ? `p${begin + 500}` : `${(now - 60) * 1_000}`, more, now }
    },
    ...options
  })
  /** Revokes tokens at times from some seconds ago on, one a second. */
  const add = (count: number, ago: number, name: string) => {
    const from = Math.floor((START * 1_000 + feed.state.monotonic) / 1_000) - ago
    for (let i = 0; i < count; i++) entries.push({ id: `${name} ${i}`, at: from + i, ends: from + i + 90_000 })
  }
  return { ...feed, entries, asked, logged, add }
}

const seconds = ({ monotonic }: { monotonic: number }) => START + Math.floor(monotonic / 1_000)

t.test('a list beyond the limit: the newest are known, older tokens are refused with 401, and new ones work', async t => {
  const { revocations, state, add, logged, go } = longFeed(t, { capacity: 1_600 })
  add(1_600, 10_000, 'a')
  await revocations.start()
  t.equal(revocations.entries, 1_600)
  t.equal(thrownBy(revocations, { iat: START - 9_000 }), undefined, 'up to the limit, nothing is dropped')
  t.match(revocations.fault, 'holds 1600 entries of at most 1600')
  add(1, 0, 'b')
  await go(10_000)
  t.equal(revocations.areKnown, true)
  const edge = START - 10_000 + 99 + 60
  t.match(revocations.fault, `holds 1501 entries of at most 1600; access tokens issued before ${new Date(edge * 1_000).toISOString()} are refused`)
  t.match(thrownBy(revocations, { ...later, iat: edge - 1 }), tooOld)
  t.match(thrownBy(revocations, { ...later, iat: edge - 1, jti: 'a 0' }), tooOld, 'revoked, and dropped')
  t.equal(thrownBy(revocations, { ...later, iat: edge }), undefined)
  t.equal(thrownBy(revocations, { ...later, iat: seconds(state) }), undefined)
  t.match(thrownBy(revocations, { jti: 'a 1599', iat: START - 8_500 }), revoked)
  t.match(thrownBy(revocations, { jti: 'b 0', iat: START - 1 }), revoked)
  t.match(logged, ['fetched the authorization server\'s revocations', /^the list of revocations holds 1600/, /^the list of revocations holds 1501.*refused$/])

  // A full read finds what was dropped again.
  await go(700_000)
  t.equal(thrownBy(revocations, { ...later, iat: edge }), undefined, 'nothing more is dropped for it')
  t.equal(revocations.entries, 1_501)
})

t.test('a list that is half full is reported, once', async t => {
  const { revocations, add, logged, go } = longFeed(t, { capacity: 100 })
  add(49, 1_000, 'a')
  await revocations.start()
  t.equal(revocations.fault, null)
  add(1, 0, 'b')
  await go(10_000)
  t.equal(revocations.fault, 'holds 50 entries of at most 100')
  add(1, 0, 'c')
  await go(10_000)
  t.same(logged.slice(1), ['the list of revocations holds 50 entries of at most 100'])
})

t.test('after a start, a list that takes long is read in parts: new tokens work from the first fetch on', async t => {
  const { revocations, state, add, pass, go, asked, logged } = longFeed(t, { pageMs: 100 })
  add(60_000, 60_000, 'a')
  await revocations.start()
  t.equal(revocations.areKnown, true)
  const begun = START + 1
  t.match(revocations.fault, `is still being read: access tokens issued before ${new Date(begun * 1_000).toISOString()} are refused meanwhile`)
  t.match(thrownBy(revocations, { ...later, iat: begun - 1 }), tooOld)
  t.match(thrownBy(revocations, { ...later, iat: begun - 1, jti: 'a 59999' }), tooOld, 'revoked, and unread')
  t.match(thrownBy(revocations, { ...later, iat: begun - 1, jti: 'a 0' }), revoked)
  t.equal(thrownBy(revocations, { ...later, iat: begun }), undefined)
  t.equal(asked.filter(after => after === '').length, 1)

  add(1, 0, 'b')
  pass(1_000)
  await revocations.refresh()
  t.match(thrownBy(revocations, { ...later, iat: begun, jti: 'b 0' }), revoked, 'what is new is read before the rest')
  t.equal(thrownBy(revocations, { ...later, iat: begun }), undefined, 'a token stays valid meanwhile')
  await go(120_000)
  t.equal(revocations.fault, null)
  for (const id of ['a 0', 'a 30000', 'a 59999', 'b 0']) t.match(thrownBy(revocations, { ...later, jti: id }), revoked, id)
  t.equal(thrownBy(revocations, later), undefined)
  t.equal(asked.filter(after => after === '').length, 1, 'no page is read twice')
  t.match(logged.slice(1), [/^the list of revocations is still being read/, 'the list of revocations is read, and not too long'])
  t.equal(thrownBy(revocations, { ...later, iat: seconds(state) }), undefined)
})

t.test('many revocations after an outage do not delay those that follow', async t => {
  const { revocations, state, add, go, entries } = longFeed(t, { pageMs: 100 })
  await revocations.start()
  await go(10_000)
  const at = seconds(state)
  state.isAway = true
  for (let i = 0; i < 60_000; i++) entries.push({ id: `a ${i}`, at: at + Math.floor(i / 100), ends: at + 90_000 })
  await go(700_000)
  state.isAway = false
  await go(10_000)
  t.equal(revocations.areKnown, true)
  t.match(thrownBy(revocations, { ...later, iat: at, jti: 'a 59999' }), tooOld)
  const now = seconds(state)
  t.equal(thrownBy(revocations, { ...later, iat: now }), undefined)
  add(1, 0, 'b')
  await go(10_000)
  t.match(thrownBy(revocations, { ...later, iat: now, jti: 'b 0' }), revoked)
  t.equal(thrownBy(revocations, { ...later, iat: now }), undefined)
  await go(200_000)
  t.equal(revocations.fault, null)
  for (const id of ['a 0', 'a 59999']) t.match(thrownBy(revocations, { ...later, iat: at, jti: id }), revoked, id)
})

t.test('entries without a time, or with a wrong one, are as old as their page', async t => {
  for (const at of [undefined, 0, START + 1e6, START - 1e6]) {
    const { revocations, state, go } = fakeFeed(t, { capacity: 16 })
    const entry = (id: number) => ({ id: `${id}`, ends: START + 9_000, ...(at === undefined ? {} : { at }) })
    state.lists = [{ revoked: Array.from({ length: 17 }, (_, i) => entry(i)), next: '1', more: false }]
    await revocations.start()
    t.equal(thrownBy(revocations, { ...later, iat: START + 1 }), undefined, 'what is issued afterwards works')
    t.match(thrownBy(revocations, { ...later, iat: at === undefined || at > START ? START : at - 1 }), tooOld)
    await go(10_000)
    t.equal(revocations.areKnown, true)
  }
})

t.test('a clock that was far ahead when entries were dropped refuses no new tokens', async t => {
  const { revocations, state, go } = fakeFeed(t, { capacity: 16 })
  state.server = 86_400_000
  state.lists = [{ revoked: Array.from({ length: 17 }, (_, i) => ({ id: `${i}`, ends: START + 9e5 })), next: '1', more: false }]
  await revocations.start()
  state.server = 0
  await go(20_000)
  t.equal(thrownBy(revocations, { ...later, iat: Math.floor(state.machine / 1_000) }), undefined)
})

t.test('a full list recovers by itself once entries have ended', async t => {
  const { revocations, state, add, go } = longFeed(t, { capacity: 160 })
  add(200, 400, 'a')
  await revocations.start()
  t.match(revocations.fault, /refused$/)
  await go(95_000_000)
  t.equal(revocations.fault, null)
  t.equal(revocations.entries, 0)
  t.equal(thrownBy(revocations, { jti: 'x', grant_id: 'x', iat: seconds(state), exp: seconds(state) + 600 }), undefined)
})

t.test('readiness reports a list that is too long, and stays 200', async t => {
  const { send, revocations, register } = await buildOnce(t, { REVOCATIONS_URL: 'http://127.0.0.1:1/revocations' })
  t.ok(register)
  Object.defineProperties(revocations, {
    areKnown: { get: () => true },
    fault: { get: () => 'holds 60 entries of at most 100' },
    entries: { get: () => 60 }
  })
  const ready = await send('GET', '/health/ready')
  t.match([ready.statusCode, ready.json()], [200, {
    checks: { revocations: 'ok', revocationList: 'holds 60 entries of at most 100' }, details: { revocations: { entries: 60 } }
  }])
  t.equal((await send('GET', `${PATH}/1`)).statusCode, 404)
})
