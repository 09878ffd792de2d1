import { errors, type JWK } from 'jose'
import { mock } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { Keys } from '../../src/keys/keys.js'
import { keysFetched } from '../../src/telemetry/events.js'
import { makeKey } from '../support/issuer.js'

const URL = 'http://issuer.example/jwks'
const MINUTE = 60_000

/** Keys from a key set and a clock that the test controls, and what is logged. */
async function fakeKeys (t: Test) {
  const [first, second] = [await makeKey('first'), await makeKey('second')]
  const state = { now: 5_000, keys: [first.jwk] as JWK[], asked: [] as string[], isAway: false, answer: Promise.resolve() }
  const log: Array<[level: string, details: object, message: string]> = []
  const write = (level: string) => (details: object, message: string) => { log.push([level, details, message]) }
  const keys = new Keys({
    url: URL,
    log: { info: write('info'), warn: write('warn') },
    now: () => state.now,
    async fetch (url) {
      state.asked.push(url)
      await state.answer
      if (state.isAway) throw new Error('away')
      const jwks = { keys: state.keys }
      return { text: JSON.stringify(jwks), jwks }
    }
  })
  t.teardown(() => keys.stop())
  let changes = 0
  keys.onChange(() => { changes++ })
  return { keys, state, log, first, second, changes: () => changes }
}

const thrownBy = async (promise: Promise<unknown>) => await promise.then(() => undefined, (error: unknown) => error)
const unknown = { alg: 'ES256', kid: 'made up' }

t.test('new and removed keys are logged once, with their ids; unchanged ones are not', async t => {
  const { keys, state, log, second, changes } = await fakeKeys(t)
  t.equal(keys.areKnown, false)
  t.strictSame(keys.fetches, {})
  t.equal(await keys.start(), true)
  t.equal(keys.areKnown, true)
  t.same([state.asked, changes()], [[URL], 1])
  t.strictSame(log, [['info', { url: URL, kids: ['first'] }, 'fetched the authorization server\'s keys']])
  t.equal(await keys.start(), true)
  t.same([changes(), log.length], [1, 1])
  state.keys = [...state.keys, second.jwk]
  await keys.start()
  t.equal(changes(), 2)
  t.match(log, [{}, ['info', { kids: ['first', 'second'] }]])
})

t.test('a failure is logged once until it works again; what is known stays in use', async t => {
  const { keys, state, log, changes } = await fakeKeys(t)
  const outcomes: string[] = []
  t.teardown(keysFetched.subscribe(({ outcome }) => outcomes.push(outcome)))
  await keys.start()
  state.isAway = true
  state.now += 1_999
  for (let i = 0; i < 3; i++) t.equal(await keys.start(), false)
  t.match(log.slice(1), [
    ['warn', { url: URL, err: { message: 'away' } }, 'cannot fetch the authorization server\'s keys; retrying']
  ])
  t.equal(log.length, 2)
  t.strictSame(keys.fetches, { ageSeconds: 1, failure: 'other' })
  t.ok(await keys.find({ alg: 'ES256', kid: 'first' }))
  state.isAway = false
  state.now += 1
  t.equal(await keys.start(), true)
  t.same([log.length, log[2]?.[0], changes()], [3, 'info', 1])
  t.same(outcomes, ['ok', 'other', 'other', 'other', 'ok'], 'each is counted')
  t.strictSame(keys.fetches, { ageSeconds: 0 })
  state.now -= 10_000
  t.strictSame(keys.fetches, { ageSeconds: 0 }, 'never below 0')
})

t.test('a first attempt that fails is logged', async t => {
  const { keys, state, log } = await fakeKeys(t)
  state.isAway = true
  t.equal(await keys.start(), false)
  t.match(log, [['warn', {}, 'cannot fetch the authorization server\'s keys; retrying']])
})

t.test('without another clock the age of the keys is that of this process', async t => {
  const { first } = await fakeKeys(t)
  const keys = new Keys({ url: URL, log: { info () {}, warn () {} }, fetch: async () => ({ text: 'x', jwks: { keys: [first.jwk] } }) })
  t.teardown(() => keys.stop())
  await keys.start()
  t.strictSame(keys.fetches, { ageSeconds: 0 })
})

t.test('two keys of one kid are an error, and no reason to ask again', async t => {
  const { keys, state, first, second } = await fakeKeys(t)
  state.keys = [first.jwk, { ...second.jwk, kid: 'first' }]
  await keys.start()
  t.ok(await thrownBy(keys.find({ alg: 'ES256', kid: 'first' })) instanceof errors.JWKSMultipleMatchingKeys)
  t.equal(state.asked.length, 1)
})

t.test('only a key that the header names by kid and alg is found', async t => {
  const { keys, state } = await fakeKeys(t)
  t.match(await thrownBy(keys.find({ alg: 'ES256', kid: 'first' })), {
    kind: { name: 'keys-unavailable' },
    message: 'Access tokens cannot be checked yet. Try again in a moment.'
  })
  await keys.start()
  t.match(await keys.find({ alg: 'ES256', kid: 'first' }), { type: 'public' })
  for (const header of [{ alg: 'ES256' }, { kid: 'first' }, { alg: 'ES256', kid: 1 as unknown as string }]) {
    const error = await thrownBy(keys.find(header as { alg: string, kid: string }))
    t.ok(error instanceof errors.JWKSNoMatchingKey)
    t.match(error, { message: 'the token names no kid' })
  }
  t.equal(state.asked.length, 1, 'without asking')
})

t.test('an unknown kid is fetched at once, then every 30 s at most, and never while the server does not answer', async t => {
  const { keys, state, second } = await fakeKeys(t)
  await keys.start()
  t.ok(await thrownBy(keys.find(unknown)) instanceof errors.JWKSNoMatchingKey)
  t.equal(state.asked.length, 2)
  state.keys = [second.jwk]
  state.now += 29_999
  t.ok(await thrownBy(keys.find({ alg: 'ES256', kid: 'second' })) instanceof errors.JWKSNoMatchingKey)
  t.equal(state.asked.length, 2)
  state.now += 1
  t.match(await keys.find({ alg: 'ES256', kid: 'second' }), { type: 'public' }, 'found in the new set')
  t.equal(state.asked.length, 3)
  state.now += 30_000
  state.isAway = true
  const away = {
    kind: { name: 'keys-unavailable' },
    message: 'This access token\'s key cannot be looked up right now. Try again in a moment.'
  }
  t.match(await thrownBy(keys.find(unknown)), away)
  state.now += 30_000
  t.match(await thrownBy(keys.find(unknown)), away)
  t.equal(state.asked.length, 4)
})

t.test('many that wait for a key share one fetch, and none waits for longer than a second', async t => {
  const { keys, state } = await fakeKeys(t)
  await keys.start()
  state.answer = new Promise(() => {})
  // A process that only waits for keys may end; this one must not.
  const alive = setInterval(() => {}, 1_000)
  t.teardown(() => clearInterval(alive))
  const begun = performance.now()
  const waiting = await Promise.all(Array.from({ length: 10 }, async () => await thrownBy(keys.find(unknown))))
  for (const error of waiting) t.match(error, { kind: { name: 'keys-unavailable' } })
  t.equal(state.asked.length, 2)
  const took = performance.now() - begun
  t.ok(took > 900 && took < 3_000, `${took} ms`)
})

t.test('it asks every five minutes, after a failure within a quarter of a second and then ever later, up to five seconds', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const { keys, state } = await fakeKeys(t)
  const tick = async (ms: number) => {
    mock.timers.tick(ms)
    for (let i = 0; i < 5; i++) await setImmediate()
    return state.asked.length
  }
  await keys.start()
  t.equal(await tick(5 * MINUTE - 1), 1)
  state.isAway = true
  t.equal(await tick(1), 2)
  let asked = 2
  for (const wait of [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]) {
    t.equal(await tick(wait - 1), asked, `before ${wait} ms`)
    t.equal(await tick(1), ++asked, `after ${wait} ms`)
  }
  state.isAway = false
  t.equal(await tick(5_000), ++asked)
  t.equal(await tick(5 * MINUTE - 1), asked)
  state.isAway = true
  await tick(1)
  t.equal(await tick(250), asked + 2, 'a later failure begins again with a quarter of a second')
  keys.stop()
  t.equal(await tick(60 * MINUTE), asked + 2, 'nothing after the end')
})

t.test('after the end nothing is logged and nothing is planned', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const { keys, state, log } = await fakeKeys(t)
  await keys.start()
  keys.stop()
  state.isAway = true
  t.equal(await keys.start(), false)
  mock.timers.tick(60 * MINUTE)
  await setImmediate()
  t.same([log.length, state.asked.length], [1, 2])
})
