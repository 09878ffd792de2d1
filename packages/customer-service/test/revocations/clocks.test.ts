import t from 'tap'
import { START, thrownBy, revoked, fakeFeed, token } from '../support/revocations/fake-feed.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

t.test('a revoked token is refused through the leeway after its end and ever after, and is forgotten then', async t => {
  const { revocations, state, go } = fakeFeed(t)
  state.lists = [{ revoked: [{ id: 'token', ends: token.exp }], next: '1', more: false }]
  await revocations.start()
  for (let minutes = 0; minutes < 70; minutes++) {
    await go(MINUTE)
    t.match(thrownBy(revocations), { kind: { name: 'token-invalid' } }, `${minutes} minutes later`)
  }
  t.match(thrownBy(revocations), { reason: /^expired/ }, 'by itself: its revocation is forgotten')
  t.equal(thrownBy(revocations, { jti: 'new', grant_id: 'new', exp: START + 2 * 86_400 }), undefined)
})

for (const jump of [HOUR, -HOUR, 100 * DAY]) {
  t.test(`the clock of this machine jumps by ${jump / HOUR} h and back: nothing revoked is accepted`, async t => {
    const { revocations, state, go } = fakeFeed(t)
    state.lists = [{ revoked: [{ id: 'token', ends: token.exp }], next: '1', more: false }]
    await revocations.start()
    await go(31 * MINUTE)
    state.machine += jump
    for (const ms of [10_000, 40 * MINUTE]) {
      await go(ms)
      t.match(thrownBy(revocations), { kind: { name: 'token-invalid' } })
    }
    state.machine -= jump
    for (const ms of [10_000, 80 * MINUTE]) {
      await go(ms)
      t.match(thrownBy(revocations), { kind: { name: 'token-invalid' } })
    }
    t.equal(thrownBy(revocations, { jti: 'new', grant_id: 'new', exp: START + 3 * 86_400 }), undefined, 'good tokens are')
  })
}

t.test('the authorization server is a day ahead for 12 s: what is revoked afterwards is refused', async t => {
  const { revocations, state, go } = fakeFeed(t)
  await revocations.start()
  await go(MINUTE)
  state.server = DAY
  await go(20_000)
  state.server = 0
  // The server answers a cursor of the day ahead with nothing, as the release before this one does.
  state.full = [{ id: 'token', ends: token.exp }]
  await go(10_000)
  t.match(thrownBy(revocations), revoked)
  t.equal(thrownBy(revocations, { jti: 'new', grant_id: 'new' }), undefined)
})

t.test('the clocks of both were an hour ahead for long: tokens are accepted again once they are right', async t => {
  const { revocations, state, go } = fakeFeed(t)
  state.machine += HOUR
  state.server = HOUR
  await revocations.start()
  await go(2 * HOUR)
  const late = { jti: 'late', grant_id: 'late', exp: START + 2.3 * 3_600 }
  t.match(thrownBy(revocations, late), { reason: /^expired/ })
  state.machine -= HOUR
  state.server = 0
  state.full = [{ id: 'token', ends: late.exp }]
  await go(10_000)
  t.equal(thrownBy(revocations, late), undefined)
  t.match(thrownBy(revocations, { ...late, jti: 'token' }), revoked, 'all that is revoked was asked for first')
})

t.test('the list is read in full every ten minutes, a part at a time', async t => {
  const { revocations, state, go } = fakeFeed(t)
  await revocations.start()
  await go(9 * MINUTE)
  t.same(state.asked.filter(after => after === ''), [''])
  await go(MINUTE)
  t.same(state.asked.filter(after => after === ''), ['', ''])
  state.tellsTime = false
  await go(10 * MINUTE)
  t.equal(state.asked.filter(after => after === '').length, 3)
})

t.test('a full read goes on where it was; until its end nothing is let through that was forgotten', async t => {
  let isLong = false
  const asked: string[] = []
  const { revocations, state, pass, go } = fakeFeed(t, {
    async fetch (url, after) {
      asked.push(after)
      const page = Number(/^(?:page(\d))?$/.exec(after)?.[1] ?? (after === '' ? 0 : 9))
      const more = isLong && page < 4
      if (more) pass(500)
      return {
        revoked: [],
        next: more ? `page${page + 1}` : 'end',
        more,
        now: Math.floor((START * 1_000 + state.monotonic + state.server) / 1_000)
      }
    }
  })
  state.machine += HOUR
  state.server = HOUR
  await revocations.start()
  await go(2 * HOUR + 590_000)
  const late = { jti: 'late', grant_id: 'late', exp: START + 2.3 * 3_600 }
  state.machine -= HOUR
  state.server = 0
  isLong = true
  for (const expected of [['end', '', 'page1'], ['end', 'page2', 'page3']]) {
    asked.length = 0
    await go(10_000)
    t.same(asked, expected)
    t.match(thrownBy(revocations, late), { reason: /^expired/, message: 'The access token has expired. Sign in again.' })
  }
  await go(10_000)
  t.equal(thrownBy(revocations, late), undefined)
})

t.test('what is revoked is forgotten 40 minutes after its end and the leeway, once a minute', async t => {
  // By both clocks at steps of ten seconds, the feed's being half a second ahead; and by this machine's alone.
  for (const [tellsTime, rows] of [
    [true, [[-655, 1_810, 1_870], [600, 3_060, 3_070]]],
    [false, [[-660, 1_790, 1_800], [600, 3_050, 3_060]]]
  ] as const) {
    const { revocations, state, go } = fakeFeed(t)
    state.tellsTime = tellsTime
    state.full = [{ id: 'token', ends: START + 600 }]
    await revocations.start()
    for (const [exp, last, first] of rows) {
      await go(last * 1_000 - state.monotonic)
      t.match(thrownBy(revocations, { exp: START + exp }), revoked, `${tellsTime} ${exp}`)
      await go((first - last) * 1_000 - 10_000)
      t.match(thrownBy(revocations, { exp: START + exp }), revoked, `${tellsTime} ${exp}`)
      await go(10_000)
      t.match(thrownBy(revocations, { exp: START + exp }), { reason: /^expired/ }, `${tellsTime} ${exp}`)
    }
  }
})

t.test('it tells how far ahead the authorization server\'s clock is', async t => {
  const { revocations, state } = fakeFeed(t)
  t.equal(revocations.ahead, null)
  state.server = 60_000
  await revocations.start()
  t.equal(revocations.ahead, 60.5)
})
