import { decodeProtectedHeader, jwtVerify, createLocalJWKSet } from 'jose'
import t from 'tap'
import { deriveKey, unseal } from '../../src/keys/seal.js'
import { openKeyRing } from '../../src/keys/key-ring.js'
import { ANNOUNCEMENT_MS } from '../../src/keys/life-cycle.js'
import { makeKey } from '../../src/keys/make-key.js'
import { openStores } from '../../src/stores/stores.js'
import { longTimeouts, temporaryDatabase } from '../support/database.js'

export const onBothDatabases = true

const secretKey = 'abcdefghijklmnopqrstuvwxyz0123456789'
const DAY = 24 * 60 * 60_000

t.test('a restart keeps the keys, and replicas that start at once share one', async t => {
  const url = await temporaryDatabase(t)
  const open = async () => await openStores(url, longTimeouts)
  const replicas = [await open(), await open(), await open(), await open()]
  const rings = await Promise.all(replicas.map(({ signingKeys }) => openKeyRing(signingKeys, { signingAlg: 'ES256', secretKey })))
  const again = await open()
  rings.push(await openKeyRing(again.signingKeys, { signingAlg: 'ES256', secretKey }))
  t.equal((await again.signingKeys.list()).length, 1)
  const verify = createLocalJWKSet(rings[0]!.jwks())
  for (const ring of rings) t.ok(await jwtVerify(await ring.sign({ x: 1 }, 'at+jwt'), verify))
  await Promise.all([...replicas, again].map(it => it.close()))
})

t.test('another algorithm begins with an announced key; until it signs the one before goes on', async t => {
  const stores = await openStores(await temporaryDatabase(t), longTimeouts)
  let time = Date.now()
  const now = () => new Date(time)
  let before = ''
  for (const [i, signingAlg] of (['ES256', 'RS256', 'EdDSA', 'Ed25519'] as const).entries()) {
    const ring = await openKeyRing(stores.signingKeys, { signingAlg, secretKey }, async () => now(), now)
    t.equal(ring.jwks().keys.length, i + 1)
    if (i > 0) t.match(decodeProtectedHeader(await ring.sign({}, 'at+jwt')), { alg: before })
    time += ANNOUNCEMENT_MS
    const token = await ring.sign({}, 'at+jwt')
    t.match(decodeProtectedHeader(token), { alg: signingAlg, typ: 'at+jwt', kid: ring.jwks().keys[i]!.kid })
    t.ok(await jwtVerify(token, createLocalJWKSet(ring.jwks())))
    before = signingAlg
  }
  await stores.close()
})

t.test('private members never leave, and are stored encrypted', async t => {
  const stores = await openStores(await temporaryDatabase(t), longTimeouts)
  for (const signingAlg of ['ES256', 'RS256', 'EdDSA', 'Ed25519'] as const) {
    const { keys } = (await openKeyRing(stores.signingKeys, { signingAlg, secretKey })).jwks()
    for (const key of keys) {
      for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) t.notOk(member in key)
    }
  }
  for (const { privateJwe } of await stores.signingKeys.list()) t.match(decodeProtectedHeader(privateJwe), { alg: 'dir', enc: 'A256GCM' })
  await stores.close()
})

t.test('no id of a key looks like an option of the CLI', async t => {
  const sealingKey = deriveKey(secretKey, 'signing keys')
  const kids = await Promise.all(Array.from({ length: 400 }, async () => (await makeKey('ES256', sealingKey)).kid))
  // By chance one of 64 would.
  t.same(kids.filter(kid => !/^[A-Za-z0-9_][A-Za-z0-9_-]{42}$/.test(kid)), [])
})

t.test('another SECRET_KEY is refused with a sentence that says which to set', async t => {
  const stores = await openStores(await temporaryDatabase(t), longTimeouts)
  await openKeyRing(stores.signingKeys, { signingAlg: 'ES256', secretKey })
  await t.rejects(openKeyRing(stores.signingKeys, { signingAlg: 'ES256', secretKey: secretKey + 'x' }), {
    message: /SECRET_KEY is not the one they were made with/
  })
  await stores.close()
})

t.test('a ring whose last key is withdrawn, and that cannot open the next, says that it cannot sign', async t => {
  const stores = await openStores(await temporaryDatabase(t), longTimeouts)
  const ring = await openKeyRing(stores.signingKeys, { signingAlg: 'ES256', secretKey })
  t.ok(ring.canSign())
  const foreign = await makeKey('ES256', deriveKey(`another ${secretKey}`, 'signing keys'))
  await stores.signingKeys.add({ ...foreign, generation: 2, createdAt: new Date(), signsFrom: new Date() })
  await t.rejects(ring.refresh(), /SECRET_KEY is not the one/)
  t.ok(ring.canSign(), 'with the key before')
  await stores.signingKeys.retire(ring.jwks().keys[0]!.kid, new Date())
  await t.rejects(ring.refresh(), /SECRET_KEY is not the one/)
  t.notOk(ring.canSign())
  const kids = ring.describe().map(({ kid }) => kid)
  t.throws(
    () => ring.sign({}, 'at+jwt'),
    { message: `SECRET_KEY is not the one they were made with. Set that one. (${kids.join(', ')})` },
    'and names the keys'
  )
  await stores.close()
})

t.test('a key that was withdrawn is not taken for the youngest: its place is filled when it is time', async t => {
  const url = await temporaryDatabase(t)
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  const clock = { time: Date.parse('2030-01-01T00:00:00Z') }
  const ring = await openKeyRing(
    stores.signingKeys,
    { signingAlg: 'ES256', secretKey, keyRotation: DAY },
    async () => new Date(clock.time),
    () => new Date(clock.time)
  )
  clock.time += DAY
  const { made: [next] } = await ring.refresh()
  t.equal(await stores.signingKeys.retire(next!, new Date(clock.time)), true)
  clock.time += 1_000
  t.equal((await ring.refresh()).made.length, 1)
})

t.test('stored keys stay as they are while the secret is the same, and open with it in every release', async t => {
  const stores = await openStores(await temporaryDatabase(t), longTimeouts)
  t.teardown(() => stores.close())
  const open = async () => await openKeyRing(stores.signingKeys, { signingAlg: 'ES256', secretKey })
  await open()
  const [stored] = await stores.signingKeys.list()
  await open()
  t.same(await stores.signingKeys.list(), [stored])
  t.ok(await unseal(stored!.privateJwe, deriveKey(secretKey, 'signing keys')))
  await t.rejects(
    openKeyRing(stores.signingKeys, { signingAlg: 'ES256', secretKey: `another ${secretKey}` }),
    { message: `Set that one. (${stored!.kid})` },
    'the key is named'
  )
})
