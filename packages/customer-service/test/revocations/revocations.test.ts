import type { RevocationList } from '@frontdesk/schemas/revocations'
import t, { type Test } from 'tap'
import { Revocations } from '../../src/revocations/revocations.js'
import { PATH, buildOnce } from '../helper.js'

const log = { info () {}, warn () {} }
const token = { iss: 'i', sub: 's', aud: 'a', client_id: 'c', scope: '', iat: 0, exp: 10, jti: 'token', grant_id: 'grant' }

/** What a check throws. */
function refusal (check: () => void): unknown {
  try {
    return check()
  } catch (error) {
    return error
  }
}

/** Revocations that are told by hand, at a time set by hand. */
function tell (t: Test, maxAge = 60) {
  const state = { now: 1_000_000, asked: [] as string[], lists: [] as RevocationList[], isAway: false }
  const revocations = new Revocations({
    url: 'http://issuer.example/revocations',
    maxAge,
    log,
    now: () => state.now,
    async fetch (url, after) {
      state.asked.push(after)
      if (state.isAway) throw new Error('away')
      return state.lists.shift() ?? { revoked: [], next: after, more: false }
    }
  })
  t.teardown(() => revocations.stop())
  return { revocations, state }
}

t.test('a token counts no more when it or its grant is revoked, and other tokens do', async t => {
  for (const id of ['token', 'grant']) {
    const { revocations, state } = tell(t)
    state.lists = [{ revoked: [{ id, ends: 2_000 }], next: '7', more: false }]
    await revocations.start()
    t.match(refusal(() => revocations.check(token)), { kind: { name: 'token-invalid' }, reason: 'revoked' }, id)
    t.doesNotThrow(() => revocations.check({ ...token, jti: 'another', grant_id: 'another' }))
  }
})

t.test('a long list is asked for to its end, each time after what is known', async t => {
  const { revocations, state } = tell(t)
  state.lists = [{ revoked: [{ id: 'one', ends: 2_000 }], next: '1', more: true }, { revoked: [{ id: 'grant', ends: 2_000 }], next: '2', more: false }]
  await revocations.start()
  t.same(state.asked, ['', '1'])
  t.match(refusal(() => revocations.check(token)), { kind: { name: 'token-invalid' } })
})

t.test('nothing is let through before the first answer, nor when the last is too old', async t => {
  const { revocations, state } = tell(t, 60)
  t.match(refusal(() => revocations.check(token)), { kind: { name: 'revocations-unavailable', status: 503 } })
  state.isAway = true
  await revocations.start()
  t.equal(revocations.areKnown, false)
  t.same(revocations.fetches, { failure: 'other' })

  const { revocations: known, state: later } = tell(t, 60)
  await known.start()
  later.now += 59_999
  t.doesNotThrow(() => known.check(token))
  later.now += 1
  t.match(refusal(() => known.check(token)), { kind: { name: 'revocations-unavailable' } })
})

t.test('after a failure it asks again soon', async t => {
  const { revocations, state } = tell(t)
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
  t.match([ready.statusCode, ready.json()], [503, { checks: { keys: 'ok', revocations: /^not fetched/ }, details: { revocations: { failure: 'port' } } }])
})
