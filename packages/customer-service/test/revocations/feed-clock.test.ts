import t from 'tap'
import { FeedClock, TICKS } from '../../src/revocations/feed-clock.js'

const HALF_HOUR = 30 * 60_000

/** A clock whose times are set by hand. The feed has whole seconds, so its time is taken for half a second more. */
function clock () {
  const state = { machine: 1_000_000_000, monotonic: 0 }
  const pass = (ms: number) => { state.machine += ms; state.monotonic += ms }
  return { state, pass, clock: new FeedClock({ machine: () => state.machine, monotonic: () => state.monotonic }) }
}

t.test('the time is the authorization server\'s once it is known', async t => {
  const { clock: feed, pass } = clock()
  t.equal(feed.ahead(), null)
  t.equal(feed.now(), 1_000_000)
  pass(1_000)
  // Requested at 0 and answered at 1,000 ms: the time is from half way.
  feed.observe(1_000_100, 0)
  t.equal(feed.ahead(), 100)
  t.equal(feed.now(), 1_000_101)
  pass(5_000)
  t.equal(feed.now(), 1_000_106)
})

t.test('what has ended has ended by both clocks, each without a jump for half an hour', async t => {
  for (const [ahead, expected] of [[600, 1_000_000], [-600, 999_400.5]] as const) {
    const { clock: feed, pass, state } = clock()
    const observe = () => feed.observe(state.machine / 1_000 + ahead, state.monotonic)
    observe()
    pass(HALF_HOUR)
    t.equal(feed.settled(), null, 'the feed has not told for long')
    observe()
    t.equal(feed.settled(), expected, 'the earlier of the two')
    state.machine += 60_000
    t.equal(feed.settled(), null, 'the clock of the machine has jumped')
  }
  const { clock: alone, pass } = clock()
  pass(HALF_HOUR - 1)
  t.equal(alone.settled(), null)
  pass(1)
  t.equal(alone.settled(), 1_000_000, 'of a feed that tells no time, only the machine\'s counts')
})

t.test('without others the clocks are those of the machine', async t => {
  const [machine, monotonic] = [Date.now(), performance.now()]
  t.ok(TICKS.machine() >= machine && TICKS.machine() < machine + 60_000)
  t.ok(TICKS.monotonic() >= monotonic && TICKS.monotonic() < monotonic + 60_000)
})
