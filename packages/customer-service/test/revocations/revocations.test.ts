import { revocationGroup } from '@frontdesk/schemas/revocations'
import t from 'tap'
import { PATH, buildOnce } from '../support/helper.js'
import { START, thrownBy, revoked, fakeFeed, token } from '../support/revocations/fake-feed.js'

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
  t.equal(pages, 20_000)
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
