import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import t from 'tap'
import { revocationsFetched } from '../../src/telemetry/events.js'
import { thrownBy, revoked, fakeFeed, token } from '../support/revocations/fake-feed.js'

t.test('each thrownBy says what to do, and the log why', async t => {
  const { revocations, state } = fakeFeed(t)
  t.match(thrownBy(revocations), {
    kind: { name: 'revocations-unavailable' },
    message: 'Access tokens cannot be checked for revocation right now. Try again in a moment.'
  })
  state.lists = [{ revoked: [{ id: 'token', ends: token.exp }], next: '1', more: false }]
  await revocations.start()
  t.match(thrownBy(revocations), { ...revoked, message: 'Access was revoked. Sign in again.' })
})

t.test('a failure is logged once until it works again, and each attempt is counted', async t => {
  const log: unknown[][] = []
  const outcomes: string[] = []
  t.teardown(revocationsFetched.subscribe(({ outcome }) => outcomes.push(outcome)))
  const write = (level: string) => (details: object, message: string) => { log.push([level, details, message]) }
  const { revocations, state, pass } = fakeFeed(t, { log: { info: write('info'), warn: write('warn') } })
  const url = 'http://issuer.example/revocations'
  t.strictSame(revocations.fetches, {})
  await revocations.refresh()
  t.strictSame(log.splice(0), [['info', { url }, 'fetched the authorization server\'s revocations']])
  await revocations.refresh()
  t.strictSame(log, [])
  pass(2_500)
  t.strictSame(revocations.fetches, { ageSeconds: 2 })
  state.isAway = true
  await revocations.refresh()
  t.match(log.splice(0), [
    ['warn', { url, err: { message: 'away' } }, 'cannot fetch the authorization server\'s revocations; retrying']
  ])
  await revocations.refresh()
  t.strictSame(log, [])
  t.strictSame(revocations.fetches, { ageSeconds: 2, failure: 'other' })
  state.isAway = false
  await revocations.refresh()
  t.match(log.splice(0), [['info', { url }]])
  t.strictSame(revocations.fetches, { ageSeconds: 0 })
  revocations.stop()
  state.isAway = true
  await revocations.refresh()
  t.strictSame(log, [], 'after the end nothing is worth a line')
  t.same(outcomes, ['ok', 'ok', 'other', 'other', 'ok', 'other'])
})

t.test('it asks every four seconds, after a failure sooner and then ever later, up to four seconds', async t => {
  const { setTimeout } = timers
  t.teardown(() => { Object.assign(timers, { setTimeout }); syncBuiltinESMExports() })
  const { revocations, state } = fakeFeed(t)
  const waits: Array<number | undefined> = []
  const works = [false, false, false, false, false, true, true, false]
  const finished = new Promise<unknown>(resolve => {
    const wait = async (ms: number | undefined, value: unknown, options: object) => {
      waits.push(ms)
      const isUp = works.shift()
      state.isAway = isUp === false
      if (isUp === undefined) await new Promise(() => resolve(options))
    }
    Object.assign(timers, { setTimeout: wait })
    syncBuiltinESMExports()
  })
  state.isAway = true
  await revocations.start()
  const { ref, signal } = await finished as { ref: boolean, signal: AbortSignal }
  const last = waits.pop()
  t.same(waits, [250, 500, 1_000, 2_000, 4_000, 4_000, 4_000, 4_000])
  t.ok(last! <= 500, 'a later failure begins again')
  t.equal(ref, false, 'a process that only waits for this may end')
  t.equal(signal.aborted, false)
  revocations.stop()
  t.equal(signal.aborted, true)
})
