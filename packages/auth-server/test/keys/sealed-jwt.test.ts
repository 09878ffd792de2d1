import { base64url, EncryptJWT } from 'jose'
import t from 'tap'
import { deriveKey } from '../../src/keys/seal.js'
import { createSealedJwts } from '../../src/keys/sealed-jwt.js'

const secretKey = 'a secret of this server'
const now = new Date('2030-01-01T00:00:00Z')
const claims = { sub: 'ann', state: 'secret' }
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000)

t.test('it gives the claims back until it is too old', async t => {
  const { seal, open } = createSealedJwts(({ secretKey }), 'password links')
  const jwt = await seal(claims, now)
  t.same(await open(jwt, 300, later(299)), claims)
  t.equal(await open(jwt, 300, later(300)), null)
  t.same(await open(jwt, 300, later(-60)), claims, 'clocks of replicas differ a little')
  t.equal(await open(jwt, 300, later(-61)), null)
})

t.test('it is encrypted, and opens with the secret that made it, also when that is the previous one', async t => {
  const jwt = await createSealedJwts({ secretKey }, 'password links').seal(claims, now)
  for (const part of jwt.split('.')) t.notMatch(Buffer.from(part, 'base64url').toString('latin1'), 'secret')
  t.same(await createSealedJwts({ secretKey: 'new', previousSecretKey: secretKey }, 'password links').open(jwt, 300, now), claims)
  t.equal(await createSealedJwts({ secretKey: 'new' }, 'password links').open(jwt, 300, now), null)
})

t.test('what was changed, made for another purpose or is no JWT at all has no claims', async t => {
  const { seal, open } = createSealedJwts({ secretKey }, 'password links')
  const jwt = await seal(claims, now)
  const otherPurpose = await createSealedJwts({ secretKey }, 'pushed requests').seal(claims, now)
  const otherAlg = await new EncryptJWT(claims).setProtectedHeader({ alg: 'A256KW', enc: 'A256GCM' }).setIssuedAt(now)
    .encrypt(deriveKey(secretKey, 'password links'))
  const unsigned = [base64url.encode('{"alg":"none"}'), base64url.encode('{"sub":"ann"}'), ''].join('.')
  for (const it of ['', 'x', '....', `${jwt.slice(0, -4)}AAAA`, otherPurpose, otherAlg, unsigned]) t.equal(await open(it, 300, now), null, it)
})

t.test('long claims are compressed, and decompressed up to 16 kB', async t => {
  const { seal, open } = createSealedJwts<{ state: string }>({ secretKey }, 'pushed requests')
  const jwt = await seal({ state: 'x'.repeat(16_000) }, now)
  t.ok(jwt.length < 500, `${jwt.length} characters`)
  t.match(await open(jwt, 300, now), { state: /^x{16000}$/ })
  for (const size of [16_384, 5_000_000]) t.equal(await open(await seal({ state: 'x'.repeat(size) }, now), 300, now), null, `${size}`)
})
