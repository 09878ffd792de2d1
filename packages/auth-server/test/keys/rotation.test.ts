import { decodeProtectedHeader } from 'jose'
import t, { type Test } from 'tap'
import { openKeyRing, type KeyRing, type KeyRingOptions } from '../../src/keys/key-ring.js'
import { KEPT_AFTER_LAST_USE_MS, ANNOUNCEMENT_MS } from '../../src/keys/life-cycle.js'
import { openStores } from '../../src/stores/stores.js'
import { longTimeouts, temporaryDatabase } from '../support/database.js'

export const onBothDatabases = true

const DAY = 24 * 60 * 60_000
const secretKey = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Replicas on one database, and a clock that is turned by hand. */
async function replicas (t: Test, count: number, options: Partial<KeyRingOptions> = {}) {
  const url = await temporaryDatabase(t)
  const clock = { time: Date.parse('2030-01-01T00:00:00Z') }
  const open = async (more: Partial<KeyRingOptions> = {}) => {
    const stores = await openStores(url, longTimeouts)
    t.teardown(() => stores.close())
    return await openKeyRing(
      stores.signingKeys,
      { signingAlg: 'ES256', secretKey, ...options, ...more },
      async () => new Date(clock.time),
      () => new Date(clock.time)
    )
  }
  const rings: KeyRing[] = []
  while (rings.length < count) rings.push(await open())
  // as: at least one was asked for.
  return { rings: rings as [KeyRing, ...KeyRing[]], clock, open, refresh: async () => await Promise.all(rings.map(ring => ring.refresh())) }
}

const signer = async (ring: KeyRing) => decodeProtectedHeader(await ring.sign({}, 'at+jwt')).kid
const states = (ring: KeyRing) => ring.describe().map(({ state }) => state)

t.test('a key is announced, signs, stays published while its tokens are out, and is retired: the same on every replica', async t => {
  const { rings, clock, refresh } = await replicas(t, 4, { keyRotation: 90 * DAY })
  const [ring] = rings
  const [first] = ring.jwks().keys
  t.same(states(ring), ['signing'], 'the first signs at once')

  clock.time += 90 * DAY - 1
  t.same((await refresh()).flatMap(({ made }) => made), [])
  clock.time += 1
  t.equal((await refresh()).flatMap(({ made }) => made).length, 1, 'of four replicas one makes the next key')
  await refresh()
  for (const each of rings) {
    t.same(states(each), ['signing', 'announced'])
    t.equal(each.jwks().keys.length, 2, 'it is published before it signs')
    t.equal(await signer(each), first!.kid)
  }

  clock.time += ANNOUNCEMENT_MS - 1
  t.equal(await signer(ring), first!.kid)
  clock.time += 1
  for (const each of rings) {
    t.same(states(each), ['published', 'signing'], 'without being told again')
    t.equal(await signer(each), each.jwks().keys[1]!.kid)
  }

  clock.time += KEPT_AFTER_LAST_USE_MS - 1
  t.same((await refresh()).flatMap(({ retired }) => retired), [])
  clock.time += 1
  t.same((await refresh()).flatMap(({ retired }) => retired), [first!.kid], 'one replica retires it')
  await refresh()
  for (const each of rings) {
    t.same(states(each), ['retired', 'signing'])
    t.equal(each.jwks().keys.length, 1)
  }
})

t.test('a key made by hand signs from the requested time on, on every replica', async t => {
  const { rings: [ring, other], clock, refresh } = await replicas(t, 2)
  const kid = await ring.rotate(5_000)
  await refresh()
  t.not(await signer(other!), kid)
  clock.time += 5_000
  t.equal(await signer(other!), kid)
  const urgent = await other!.rotate(0)
  await refresh()
  t.equal(await signer(ring), urgent)
  clock.time += 3650 * DAY
  await refresh()
  await refresh()
  t.same(states(ring), ['retired', 'retired', 'signing'], 'without KEY_ROTATION none is made by itself, however old')
})

t.test('a private key is forgotten when it is retired', async t => {
  const url = await temporaryDatabase(t)
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  const ring = await openKeyRing(stores.signingKeys, { signingAlg: 'ES256', secretKey })
  const kid = ring.jwks().keys[0]!.kid
  await ring.rotate(0)
  t.equal(await stores.signingKeys.retire(kid, new Date()), true)
  t.equal(await stores.signingKeys.retire(kid, new Date()), false, 'once')
  t.match(await stores.signingKeys.list(), [{ kid, privateJwe: '' }, { retiredAt: null }])
  await ring.refresh()
  t.notOk(ring.jwks().keys.some(key => key.kid === kid))
})

t.test('SECRET_KEY is changed one replica after the other: none stops signing, and the new one alone is enough then', async t => {
  const { rings: [old], clock, open } = await replicas(t, 1)
  const next = { secretKey: 'another secret key of many characters', previousSecretKey: secretKey }
  const changed = await open(next)
  t.equal(await signer(changed), await signer(old))
  await old.refresh()
  t.ok(await signer(old), 'the one that runs with the old secret signs on')
  await t.rejects(open(), { message: /SECRET_KEY is not the one they were made with/ }, 'but starts no more')

  // A key that the old replica makes meanwhile.
  const kid = await old.rotate(0)
  await changed.refresh()
  t.equal(await signer(changed), kid)
  clock.time += 1_000
  t.equal(await signer(await open({ secretKey: next.secretKey })), kid)
})

t.test('a key that cannot be decrypted is logged, and the previous one goes on signing', async t => {
  const { rings: [ring], open } = await replicas(t, 1)
  const before = await signer(ring)
  const changed = await open({ secretKey: 'another secret key of many characters', previousSecretKey: secretKey })
  await changed.rotate(0)
  await t.rejects(ring.refresh(), { message: /SECRET_KEY is not the one/ })
  t.equal(await signer(ring), before)
})

t.test('a machine whose clock is wrong goes by that of the database', async t => {
  const url = await temporaryDatabase(t)
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  const open = async (days: number) =>
    await openKeyRing(
      stores.signingKeys,
      { signingAlg: 'ES256', secretKey, keyRotation: 90 * DAY },
      undefined,
      () => new Date(Date.now() + days * DAY)
    )
  const right = await open(0)
  const first = right.jwks().keys[0]!.kid
  const next = await right.rotate(ANNOUNCEMENT_MS)
  for (const wrong of [await open(-30), await open(2), await open(400)]) {
    t.same(await wrong.refresh(), { made: [], retired: [] })
    t.same(states(wrong), ['signing', 'announced'])
    t.equal(await signer(wrong), first)
  }
  await right.refresh()
  t.same(right.jwks().keys.map(({ kid }) => kid), [first, next])
})

t.test('a database whose clock was ahead once: nothing is made at once, and the oldest key signs until a time has come', async t => {
  const { rings: [ring], clock, open } = await replicas(t, 1)
  const first = await signer(ring)
  await ring.rotate(ANNOUNCEMENT_MS)
  clock.time -= 30 * DAY
  const behind = await open()
  t.same(await behind.refresh(), { made: [], retired: [] })
  t.equal(await signer(behind), first)
  t.equal(behind.jwks().keys.length, 2)
})

t.test('two keys that are withdrawn at the same moment: one stays', async t => {
  const url = await temporaryDatabase(t)
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  const ring = await openKeyRing(stores.signingKeys, { signingAlg: 'ES256', secretKey })
  for (let round = 0; round < 5; round++) {
    await ring.rotate(0)
    const kids = ring.jwks().keys.map(({ kid }) => kid)
    t.equal(kids.length, 2)
    const retired = await Promise.all(kids.map(kid => stores.signingKeys.retire(kid, new Date())))
    t.equal(retired.filter(Boolean).length, 1)
    await ring.refresh()
    t.equal(ring.jwks().keys.length, 1)
  }
})

t.test('what a refresh makes and retires is in use at once', async t => {
  const { rings: [ring], clock } = await replicas(t, 1, { keyRotation: 90 * DAY })
  const [first] = ring.describe()
  t.same(first?.signsFrom, first?.createdAt, 'the first is not announced')
  clock.time += 90 * DAY
  const { made: [next] } = await ring.refresh()
  t.same(ring.jwks().keys.map(({ kid }) => kid), [first?.kid, next])
  clock.time += ANNOUNCEMENT_MS + KEPT_AFTER_LAST_USE_MS
  t.same(await ring.refresh(), { made: [], retired: [first?.kid] })
  t.same(ring.jwks().keys.map(({ kid }) => kid), [next])
})

t.test('keys that are made at once on several replicas are all made', async t => {
  const { rings } = await replicas(t, 4)
  const made = await Promise.all(rings.map(async ring => await ring.rotate(1_000)))
  t.equal(new Set(made).size, 4)
  for (const kid of made) t.match(kid, /^[\w-]{43}$/)
})
