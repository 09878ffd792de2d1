import t from 'tap'
import { keyUri, makeSecret, stepOf } from '../../src/factors/totp.js'

/** "12345678901234567890" in base32, the secret of RFC 6238 appendix B. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

/** Times in seconds and the last six digits of the codes of appendix B. */
const VECTORS: ReadonlyArray<[seconds: number, code: string]> = [
  [59, '287082'], [1111111109, '081804'], [1111111111, '050471'], [1234567890, '005924'], [2000000000, '279037'], [20000000000, '353130']
]

t.test('codes are those of RFC 6238, appendix B', async t => {
  for (const [seconds, code] of VECTORS) t.equal(await stepOf(SECRET, code, new Date(seconds * 1_000)), Math.floor(seconds / 30), code)
})

t.test('the clock of a phone may be a step ahead or behind, and no more (RFC 6238 §5.2)', async t => {
  const [code, step] = ['050471', Math.floor(1111111111 / 30)]
  const steps = await Promise.all([-2, -1, 0, 1, 2].map(async steps => await stepOf(SECRET, code, new Date((step + steps) * 30_000))))
  t.same(steps, [null, step, step, step, null])
})

t.test('what is no code is refused', async t => {
  const now = new Date(59_000)
  for (const code of ['', '28708', '2870820', '28708a', '２８７０８２', '-87082', '287 82', '287083']) {
    t.equal(await stepOf(SECRET, code, now), null, code)
  }
})

t.test('a secret has 160 bits, and its URI names site and account', async t => {
  const secret = await makeSecret()
  t.match(secret, /^[A-Z2-7]{32}$/)
  t.equal(await keyUri(secret, 'Ann & Co: Desk', 'ann@example.com'),
    `otpauth://totp/Ann%20%26%20Co%3A%20Desk:ann%40example.com?issuer=Ann%20%26%20Co%3A%20Desk&secret=${secret}&algorithm=SHA1&digits=6&period=30`)
})
