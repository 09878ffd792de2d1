import { TimeoutError } from '@frontdesk/database/unavailable'
import t from 'tap'
import { createFindDevice } from '../../src/sign-in/device-limits.js'
import { createLimitSignIn } from '../../src/sign-in/limit-sign-in.js'
import { createSignIn } from '../../src/sign-in/sign-in.js'
import type { Throttles } from '../../src/stores/operation/throttles.js'
import { build } from '../support/helper.js'

export const onBothDatabases = true

/** Throws as often as it is told, as a database does that is unavailable. */
function faults () {
  const left = { count: 0 }
  const fail = () => { if (left.count-- > 0) throw new TimeoutError('x') }
  return { left, fail }
}

t.test('an attempt that ends in a fault of the server does not count as a failed sign-in, with any password', async t => {
  const { stores: { users, throttles } } = await build(t)
  const { left, fail } = faults()
  const findForSignIn: typeof users.findForSignIn = async (...asked) => {
    fail()
    return await users.findForSignIn(...asked)
  }
  const signIn = createSignIn({ ...users, findForSignIn }, createLimitSignIn(throttles))
  const attempt = async (password: string) => (await signIn({ username: 'ann', password }, { address: '192.0.2.1', isGone: () => false })).outcome
  for (const password of ['correct horse', 'wrong']) {
    left.count = 12
    for (let count = 0; count < 12; count++) await t.rejects(attempt(password), { name: 'TimeoutError' })
  }
  for (let count = 0; count < 5; count++) t.equal(await attempt('wrong'), 'wrong')
  t.equal(await attempt('wrong'), 'throttled', 'only those that were checked counted')
})

t.test('a sign-in whose counters could not be set back at once is a sign-in, and they are set back soon', async t => {
  const { stores: { users, throttles } } = await build(t)
  const { left, fail } = faults()
  const under: Throttles['under'] = limit => {
    const throttle = throttles.under(limit)
    return {
      count: key => throttle.count(key),
      takeBack: async key => { fail(); await throttle.takeBack(key) },
      reset: async key => { fail(); await throttle.reset(key) }
    }
  }
  const signIn = createSignIn(users, createLimitSignIn({ ...throttles, under }))
  for (let count = 0; count < 12; count++) {
    left.count = 2
    const result = await signIn({ username: 'ann', password: 'correct horse' }, { address: '192.0.2.1', isGone: () => false })
    t.equal(result.outcome, 'signed in')
    if (result.outcome === 'signed in') await result.counted
  }
})

t.test('a user code that could not be looked up is no wrong one', async t => {
  const { stores: { deviceCodes, throttles } } = await build(t)
  const { left, fail } = faults()
  const find: typeof deviceCodes.find = async (...asked) => {
    fail()
    return await deviceCodes.find(...asked)
  }
  const findDevice = createFindDevice({ find }, throttles)
  const look = () => findDevice('BCDFGHJK', '192.0.2.1', new Date())
  left.count = 20
  for (let count = 0; count < 20; count++) await t.rejects(look(), { name: 'TimeoutError' })
  for (let count = 0; count < 10; count++) t.equal(await look(), null)
  t.match(await look(), { retryAfter: Number })
})
