import { mock } from 'node:test'
import t from 'tap'
import { openClock } from '@frontdesk/database/clock'
import { PROBATION_MS, SteadyTime } from '@frontdesk/service-kit/steady-time'
import { createTimeIds, leastTimeId } from '@frontdesk/service-kit/time-id'
import { onPostgresql } from '../support/database.js'
import { Browser, build, fragmentOf } from '../support/helper.js'

export const onBothDatabases = true

const DAY = 24 * 3_600_000

/** A PostgreSQL that is read `sent` ms after the request and answers `back` ms later, as seen by a clock without jumps. */
function server ({ sent, back }: { sent: number, back: number }) {
  const state = { monotonic: 5_000, machine: 1_000_000, time: 0, isAway: false }
  // as: all that the clock needs of a connection.
  const connection = {
    dialect: 'postgresql' as const,
    async run () {
      if (state.isAway) throw new Error('away')
      state.monotonic += sent
      const time = state.time + state.monotonic
      state.monotonic += back
      return [[time]]
    }
  }
  return { state, open: () => openClock(connection, { machine: () => state.machine, monotonic: () => state.monotonic }) }
}

t.test('PostgreSQL\'s clock is measured in the middle of the round trip, and a jump of the machine\'s changes nothing', async t => {
  const { state, open } = server({ sent: 30, back: 10 })
  state.time = 100 * DAY
  const clock = await open()
  t.teardown(() => clock.stop())
  const error = () => clock.now().getTime() - (state.time + state.monotonic)
  t.equal(error(), 10, 'half of what the way there and back differ by')
  state.machine += DAY
  state.monotonic += 1_000
  t.equal(error(), 10)
  t.equal(clock.ahead(), (clock.now().getTime() - state.machine) / 1_000)
  state.time += DAY
  t.ok(Math.abs((await clock.settled())!.getTime() - (state.time + state.monotonic)) <= 30, 'before rows are removed, PostgreSQL is asked')
})

t.test(
  'it is measured again in the background, kept while the database does not answer, and corrected no further than a slow answer proves',
  async t => {
    mock.timers.enable({ apis: ['setInterval'] })
    t.teardown(() => mock.timers.reset())
    const trip = { sent: 10, back: 10 }
    const { state, open } = server(trip)
    state.time = DAY
    const clock = await open()
    t.teardown(() => clock.stop())
    const error = () => clock.now().getTime() - (state.time + state.monotonic)
    const measure = async () => {
      mock.timers.tick(10_000)
      await new Promise(resolve => setImmediate(resolve))
    }
    state.isAway = true
    state.time += 5_000
    await measure()
    t.equal(error(), -5_000, 'what was measured last goes on')
    state.isAway = false
    await measure()
    t.ok(Math.abs(error()) <= 10, `${error()} ms after the next answer`)
  }
)

// SQLite has only the machine's clock.
if (onPostgresql) {
  t.test('an app on the clock of its database', async t => {
    const { app, stores } = await build(t)
    const before = stores.clock.now().getTime()
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 100 * DAY })
    t.teardown(() => mock.timers.reset())
    const browser = new Browser(app)
    const answer = await browser.allow()
    t.equal(answer.statusCode, 303, answer.body)
    // as: a JWT has a payload.
    const { iat } = JSON.parse(Buffer.from(fragmentOf(answer).access_token!.split('.')[1] as string, 'base64url').toString())
    t.ok(iat * 1_000 >= before - 1_000 && iat * 1_000 < before + 60_000, 'the token begins when the database says')
    t.ok(Math.abs(stores.clock.ahead()! + 100 * DAY / 1_000) < 60)
    t.match(
      (await app.inject('/health/ready')).json(),
      { status: 'ok', checks: { clock: /^86\d{5} s ahead of the database$/ } },
      'readiness says so'
    )
    const throttle = stores.throttles.under({ name: 'n', points: 1, duration: 60 })
    t.equal((await throttle.count('k')).retryAfter, 0)
    const { retryAfter: wait } = await throttle.count('k')
    t.ok(wait > 50 && wait <= 60, `a counter ends when the database says, in ${wait} s`)
  })
}

t.test('a clock that jumps vouches for nothing until it has gone well for half an hour', async t => {
  const state = { time: 1_000 * DAY, monotonic: 0 }
  const steady = new SteadyTime(() => state.time, () => state.monotonic)
  const wait = (ms: number) => {
    for (let at = 0; at < ms; at += 10_000) {
      state.time += 10_000
      state.monotonic += 10_000
      steady.look()
    }
  }
  t.equal(steady.settled(), null, 'it was just started')
  wait(PROBATION_MS - 10_000)
  t.equal(steady.settled(), null)
  wait(10_000)
  t.equal(steady.settled(), 1_000 * DAY, 'up to the time that the first look vouches for')
  state.time += 100 * DAY
  t.equal(steady.settled(), null, 'a jump is seen before it is believed')
  wait(20_000)
  state.time -= 100 * DAY
  steady.look()
  wait(PROBATION_MS - 10_000)
  t.equal(steady.settled(), null, 'and the way back is one, too')
  wait(10_000)
  t.equal(steady.settled(), 1_000 * DAY + PROBATION_MS + 20_000)
  state.time += 2_000
  t.equal(steady.look(), 2_000)
  t.equal(steady.look(), 0)
})

t.test('ids follow a clock that is set back, and stay in order over a small step', async t => {
  const next = createTimeIds()
  const now = Date.now()
  const ahead = next(new Date(now + DAY))
  t.ok(next(new Date(now + DAY - 59_000)) > ahead)
  const back = next(new Date(now))
  t.ok(back >= leastTimeId(new Date(now)) && back < leastTimeId(new Date(now + 1_000)), back)
  t.ok(next(new Date(now)) > back)
})
