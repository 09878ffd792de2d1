import { CompactEncrypt, decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, jwtVerify, importJWK } from 'jose'
import t from 'tap'
import { deriveKey, seal, unseal } from '../../src/keys/seal.js'
import { KEPT_AFTER_LAST_USE_MS, ANNOUNCEMENT_MS, MIN_ANNOUNCEMENT_MS, describeKeys, findSigner } from '../../src/keys/life-cycle.js'
import { makeKey, makeSigner } from '../../src/keys/make-key.js'
import type { StoredKey } from '../../src/stores/operation/signing-keys.js'

const at = (milliseconds: number) => new Date(Date.parse('2030-01-01T00:00:00Z') + milliseconds)

const key = (generation: number, signsFrom: number, retiredAt: number | null = null): StoredKey => ({
  kid: `key ${generation}`,
  generation,
  alg: 'ES256',
  publicJwk: '{}',
  privateJwe: '',
  createdAt: at(signsFrom - ANNOUNCEMENT_MS),
  signsFrom: at(signsFrom),
  retiredAt: retiredAt === null ? null : at(retiredAt)
})

t.test('a key is announced for an hour, at least for 45 s, and published for the longest token and two minutes', async t => {
  t.same([ANNOUNCEMENT_MS, MIN_ANNOUNCEMENT_MS, KEPT_AFTER_LAST_USE_MS], [3_600_000, 45_000, 86_520_000])
})

t.test('the youngest key whose time has come signs; of none, the oldest', async t => {
  const keys = [key(1, 0, 5), key(2, 0), key(3, 1_000), key(4, 2_000)]
  const rows: Array<[now: number, generation: number]> = [[-1, 2], [0, 2], [999, 2], [1_000, 3], [2_000, 4], [9_000, 4]]
  for (const [now, generation] of rows) t.equal(findSigner(keys, at(now))?.generation, generation, `${now}`)
  t.equal(findSigner([key(1, 0, 5)], at(0)), undefined)
  t.equal(findSigner([], at(0)), undefined)
})

t.test('each key is described with its state and the times when it starts signing, stops signing and retires', async t => {
  const keys = [key(1, 0, 500), key(2, 0), key(3, 2_000), key(4, 1_500), key(5, 3_000, 10)]
  const described = describeKeys(keys, at(1_000))
  t.same(
    described.map(({ kid, alg, state, createdAt, signsFrom }) => ({ kid, alg, state, createdAt, signsFrom })),
    keys.map(({ kid, alg, createdAt, signsFrom }, i) => ({
      kid,
      alg,
      state: ['retired', 'signing', 'announced', 'announced', 'retired'][i],
      createdAt,
      signsFrom
    }))
  )
  t.same(
    described.map(({ signsUntil }) => signsUntil),
    [at(0), at(1_500), at(1_500), null, null],
    'until the first of the younger ones that are not retired'
  )
  const end = at(1_500 + KEPT_AFTER_LAST_USE_MS)
  t.same(described.map(({ retiresAt }) => retiresAt), [at(500), end, end, null, at(10)])
  t.same(describeKeys(keys, at(1_500)).map(({ state }) => state), ['retired', 'published', 'announced', 'signing', 'retired'])
  t.same(
    describeKeys([key(1, 0), key(2, 0)], at(0)).map(({ state }) => state),
    ['published', 'signing'],
    'of two whose time comes at once the younger signs'
  )
})

t.test('a secret gives another key for each purpose (HKDF, RFC 5869), the same in every release', async t => {
  const [one, other] = [deriveKey('secret', 'signing keys'), deriveKey('secret', 'consent form')]
  t.equal(Buffer.from(one).toString('hex'), 'ec117161a74851ecca069f007ba95f436628a23d2609e00c9adc7cdade48ce4d')
  t.equal(Buffer.from(other).toString('hex'), 'fd1e5c374fab8d40248e3e19e623124e8840e503e5ef608f20adf75160e13380')
})

t.test('a key is made with its thumbprint as id, its public half for the key set and its private half sealed', async t => {
  const sealingKey = deriveKey('secret', 'signing keys')
  const { kid, alg, publicJwk, privateJwe } = await makeKey('ES256', sealingKey)
  t.equal(alg, 'ES256')
  t.match(JSON.parse(publicJwk), { kty: 'EC', crv: 'P-256', kid, alg: 'ES256', use: 'sig' })
  t.notOk('d' in JSON.parse(publicJwk))
  t.same(decodeProtectedHeader(privateJwe), { alg: 'dir', enc: 'A256GCM' })
  const { d, ...half } = await unseal(privateJwe, sealingKey)
  t.ok(d)
  t.match(JSON.parse(publicJwk), half)
  await t.rejects(unseal(privateJwe, deriveKey('other', 'signing keys')))
})

t.test('only what was sealed as it is sealed here is opened', async t => {
  const sealingKey = deriveKey('secret', 'signing keys')
  t.same(await unseal(await seal({ kty: 'oct', k: 'é' }, sealingKey), sealingKey), { kty: 'oct', k: 'é' })
  const other = await new CompactEncrypt(Buffer.from('{}')).setProtectedHeader({ alg: 'A256KW', enc: 'A256GCM' }).encrypt(sealingKey)
  await t.rejects(unseal(other, sealingKey), { code: 'ERR_JOSE_ALG_NOT_ALLOWED' })
  const cbc = await new CompactEncrypt(Buffer.from('{}')).setProtectedHeader({ alg: 'dir', enc: 'A128CBC-HS256' }).encrypt(sealingKey)
  await t.rejects(unseal(cbc, sealingKey), { code: 'ERR_JOSE_ALG_NOT_ALLOWED' })
})

t.test('a signer writes the type and the id of its key into the header', async t => {
  for (const alg of ['ES256', 'EdDSA', 'Ed25519'] as const) {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
    const sign = makeSigner({ kid: 'k', alg }, await exportJWK(privateKey))
    for (const typ of ['at+jwt', 'x+jwt', 'at+jwt']) {
      const token = sign({ a: 1 }, typ)
      t.same(decodeProtectedHeader(token), { alg, typ, kid: 'k' })
      t.match(decodeJwt(token), { a: 1 })
      await jwtVerify(token, await importJWK(await exportJWK(publicKey), alg))
    }
  }
})
