import type { RevocationList } from '@frontdesk/schemas/revocations'
import t from 'tap'
import { FetchError } from '@frontdesk/service-kit/outgoing/failure'
import { START, fakeFeed, thrownBy } from '../support/revocations/fake-feed.js'

const tooOld = { kind: { name: 'token-invalid' }, message: 'The access token is too old. Sign in again.' }
const later = { jti: 'new', grant_id: 'new', exp: START + 86_400 }

t.test('a list without an end: memory is bounded, new tokens work, and none works for long', async t => {
  let id = 0
  const endless: Array<[string, () => RevocationList]> = [
    ['of new entries', () => ({
      revoked: Array.from({ length: 20 }, () => ({ id: `${id++}`, ends: Number.MAX_SAFE_INTEGER })), next: `${id}`, more: true
    })],
    ['of nothing', () => ({ revoked: [], next: `${id++}`, more: true })],
    ['of one page', () => ({ revoked: [{ id: 'grant', ends: 1 }], next: 'x', more: true })]
  ]
  for (const [name, answer] of endless) {
    t.test(name, async t => {
      let pages = 0
      const feed = fakeFeed(t, { capacity: 10_000, fetch: async () => { pages++; feed.pass(10); return answer() } })
      const { revocations, state, go } = feed
      await revocations.start()
      t.ok(pages <= 804, `${pages} pages in eight seconds`)
      t.equal(revocations.areKnown, true)
      for (let round = 0; round < 3; round++) {
        const now = Math.floor(state.machine / 1_000)
        t.equal(thrownBy(revocations, { ...later, iat: now + 1 }), undefined, 'a new token works')
        await go(10_000)
        t.match(thrownBy(revocations, { ...later, iat: now + 1 }), tooOld, 'ten seconds later it does not')
      }
      t.ok(revocations.entries <= 10_000)
      t.match(revocations.fault, /^is still being read/)
    })
  }
})

t.test('pages that are too large do not make all tokens invalid, once there was a list', async t => {
  const { revocations, state, go } = fakeFeed(t, {
    async fetch () {
      if (isLarge) throw new FetchError('too large', 'the answer has more than 65536 bytes')
      return { revoked: [], next: '1', more: false }
    }
  })
  let isLarge = true
  await revocations.start()
  t.equal(revocations.areKnown, false)
  t.equal(revocations.fetches.failure, 'too large')
  isLarge = false
  await go(10_000)
  t.equal(thrownBy(revocations), undefined)
  isLarge = true
  await go(700_000)
  t.equal(revocations.areKnown, true)
  t.match(thrownBy(revocations), tooOld)
  t.equal(thrownBy(revocations, { ...later, iat: Math.floor(state.machine / 1_000) + 1 }), undefined)
  isLarge = false
  await go(10_000)
  t.equal(thrownBy(revocations, { exp: START + 3_000 }), undefined)
})
