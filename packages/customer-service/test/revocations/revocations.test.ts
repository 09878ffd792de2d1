import { revocationGroup } from '@frontdesk/schemas/revocations'
import t from 'tap'
import { PATH, buildOnce } from '../helper.js'
import { START, thrownBy, revoked, fakeFeed, token } from './fake-feed.js'

t.test('a token counts no more when it or its grant is revoked, and other tokens do', async t => {
  for (const id of ['token', 'grant']) {
    const { revocations, state } = fakeFeed(t)
    state.lists = [{ revoked: [{ id, ends: token.exp }], next: '7', more: false }]
    await revocations.start()
    t.match(thrownBy(revocations), revoked, id)
    t.equal(thrownBy(revocations, { jti: 'another', grant_id: 'another' }), undefined)
  }
})

t.test('a long list is asked for to its end, each time after what is known', async t => {
  const { revocations, state } = fakeFeed(t)
  state.lists = [
    { revoked: [{ id: 'one', ends: token.exp }], next: '1', more: true },
    { revoked: [{ id: 'grant', ends: token.exp }], next: '2', more: false }
  ]
  await revocations.start()
  t.same(state.asked, ['', '1'])
  t.match(thrownBy(revocations), revoked)
})

t.test('nothing is let through before the first answer, nor when the last is too old, whatever the clock of the machine does', async t => {
  const { revocations, state } = fakeFeed(t)
  t.match(thrownBy(revocations), { kind: { name: 'revocations-unavailable', status: 503 } })
  state.isAway = true
  await revocations.start()
  t.equal(revocations.areKnown, false)
  t.same(revocations.fetches, { failure: 'other' })

  const { revocations: known, state: later } = fakeFeed(t)
  await known.start()
  later.machine -= 86_400_000
  later.monotonic += 59_999
  t.equal(thrownBy(known), undefined)
  t.equal(known.fetches.ageSeconds, 59)
  later.monotonic += 1
  t.match(thrownBy(known), { kind: { name: 'revocations-unavailable' } })
})

t.test('a group of tokens is revoked as far as they were issued before', async t => {
  for (const group of [{ sub: 's' }, { clientId: 'c' }, { sub: 's', clientId: 'c' }]) {
    const { revocations, state } = fakeFeed(t)
    state.full = [{ id: revocationGroup(group), ends: START + 86_400, before: START }]
    await revocations.start()
    const name = JSON.stringify(group)
    t.match(thrownBy(revocations, { iat: START - 1 }), revoked, name)
    t.equal(thrownBy(revocations, { iat: START }), undefined, name)
    t.equal(thrownBy(revocations, { sub: 'x', client_id: 'x', iat: START - 1 }), undefined, name)
    state.lists = [{ revoked: [{ id: revocationGroup(group), ends: START + 86_500, before: START + 50 }], next: '2', more: false }]
    await revocations.refresh()
    t.match(thrownBy(revocations, { iat: START + 49 }), revoked, `${name} again`)
  }
})

t.test('a list without an end is given up, and tokens are refused once what is known is too old', async t => {
  let page = 0
  const log: object[] = []
  const { revocations } = fakeFeed(t, {
    log: {
      info () {},
      warn (details) {
        log.push(details)
      }
    },
    fetch: async () => ({ revoked: [], next: `${page++}`, more: true })
  })
  await revocations.start()
  t.match(revocations.fetches, { failure: 'too large' })
  t.match(log, [{ err: { message: 'the list of revocations has no end' } }])
  t.equal(page, 2_000)
  t.equal(revocations.areKnown, false)

  let at = 0
  const { revocations: slow } = fakeFeed(t, {
    ticks: { machine: () => at, monotonic: () => at },
    fetch: async () => { at += 5_000; return { revoked: [], next: `${page++}`, more: true } }
  })
  await slow.start()
  t.equal(at, 65_000, 'slow pages end after a minute and one page')

  const { revocations: known, state } = fakeFeed(t)
  await known.start()
  state.lists = Array.from({ length: 4_000 }, (_, i) => ({ revoked: [], next: `x${i}`, more: true }))
  await known.refresh()
  t.equal(thrownBy(known), undefined, 'what is known holds for its time')
})

t.test('entries without an end are given up: memory has a bound', async t => {
  let id = 0
  const { revocations } = fakeFeed(t, {
    capacity: 10_000,
    fetch: async () => ({
      revoked: Array.from({ length: 500 }, () => ({ id: `${id++}`, ends: Number.MAX_SAFE_INTEGER })),
      next: `${id}`,
      more: true
    })
  })
  await revocations.start()
  t.match(revocations.fetches, { failure: 'too large' })
  t.ok(id <= 10_500, `${id} entries`)
})

t.test('a full list recovers by itself once entries have ended, also where no fetch went well', async t => {
  for (const firstGoesWell of [true, false]) {
    const old = ['one', 'two'].map(id => ({ id, ends: token.exp }))
    let told = firstGoesWell ? old : [...old, { id: 'grant', ends: START + 7_200 }]
    const { revocations, state, go } = fakeFeed(t, {
      capacity: 2,
      fetch: async () => ({ revoked: told, next: '1', more: false, now: Math.floor((START * 1_000 + state.monotonic) / 1_000) })
    })
    await revocations.start()
    t.equal(revocations.areKnown, firstGoesWell)
    told = [{ id: 'grant', ends: START + 7_200 }]
    await go(10 * 60_000)
    t.match(thrownBy(revocations), { kind: { name: 'revocations-unavailable' } })
    t.same(revocations.fetches.failure, 'too large')
    await go(70 * 60_000)
    t.equal(revocations.fetches.failure, undefined)
    t.match(thrownBy(revocations, { exp: START + 7_200 }), revoked)
    t.equal(thrownBy(revocations, { jti: 'new', grant_id: 'new', exp: START + 7_200 }), undefined)
  }
})

t.test('a full read that has no end is begun again: the reason may be gone', async t => {
  let [pages, isEndless] = [0, true]
  const asked: string[] = []
  const log: object[] = []
  const { revocations, pass } = fakeFeed(t, {
    log: { info () {}, warn (details) { log.push(details) } },
    async fetch (url, after) {
      asked.push(after)
      const isFull = asked.length > 1 && after !== 'new'
      return { revoked: [], next: isFull ? `full${++pages}` : 'new', more: isEndless && isFull }
    }
  })
  await revocations.start()
  pass(10 * 60_000)
  await revocations.refresh()
  t.match(log, [{ err: { code: 'too large', message: 'the list of revocations has no end' } }])
  t.match(revocations.fetches, { failure: 'too large' })
  t.equal(pages, 2_000)
  isEndless = false
  asked.length = 2
  pass(10_000)
  await revocations.refresh()
  t.same(asked.slice(2), ['new', ''])
  t.equal(revocations.fetches.failure, undefined)
})

t.test('after a failure it asks again soon', async t => {
  const { revocations, state } = fakeFeed(t)
  state.isAway = true
  await revocations.start()
  state.isAway = false
  const begun = Date.now()
  while (!revocations.areKnown) await new Promise(resolve => setTimeout(resolve, 10))
  t.ok(Date.now() - begun < 2_000)
})

t.test('a service that cannot ask what was revoked answers 503 with Retry-After, and says so when asked whether it is ready', async t => {
  const { send } = await buildOnce(t, { REVOCATIONS_URL: 'http://127.0.0.1:1/revocations' })
  const answer = await send('GET', `${PATH}/1`)
  t.match([answer.statusCode, answer.json().type, answer.headers['retry-after']], [503, '/problems/revocations-unavailable', '5'])
  t.equal((await send('GET', `${PATH}/1`, { token: null })).statusCode, 401)
  const ready = await send('GET', '/health/ready')
  t.match(
    [ready.statusCode, ready.json()],
    [503, { checks: { keys: 'ok', revocations: /^not fetched/ }, details: { revocations: { failure: 'port' } } }]
  )
})
