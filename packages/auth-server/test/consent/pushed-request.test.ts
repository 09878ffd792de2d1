import { base64url, EncryptJWT } from 'jose'
import t from 'tap'
import { deriveKey } from '../../src/keys/derive.js'
import { createPushedRequests, REFERENCE_PREFIX } from '../../src/consent/pushed-request.js'

const secretKey = 'a secret of this server'
const now = new Date('2030-01-01T00:00:00Z')
const request = { clientId: 'app', query: 'client_id=app&state=secret' }
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000)

t.test('a reference gives the request back until it is too old, under an id of its own', async t => {
  const { seal, open } = createPushedRequests({ secretKey })
  const [one, other] = [await seal(request, now), await seal(request, now)]
  t.match(await open(one, 300, later(299)), { ...request, id: /^[\w-]{43}$/ })
  t.not((await open(one, 300, now))?.id, (await open(other, 300, now))?.id)
  t.equal(await open(one, 300, later(300)), null)
})

t.test('it is encrypted, and opens with the secret that made it, also when that is the previous one', async t => {
  const reference = await createPushedRequests({ secretKey }).seal(request, now)
  const parts = reference.slice(REFERENCE_PREFIX.length).split('.')
  for (const part of parts) t.notMatch(Buffer.from(part, 'base64url').toString('latin1'), 'secret')
  t.match(await createPushedRequests({ secretKey: 'new', previousSecretKey: secretKey }).open(reference, 300, now), request)
  t.equal(await createPushedRequests({ secretKey: 'new' }).open(reference, 300, now), null)
})

t.test('what was changed, made for another purpose or is no reference at all is none', async t => {
  const { seal, open } = createPushedRequests({ secretKey })
  const reference = await seal(request, now)
  const otherType = await new EncryptJWT({ client_id: 'app', query: '' }).setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ: 'JWT' })
    .setJti('x').setIssuedAt(now).encrypt(deriveKey(secretKey, 'pushed requests'))
  const otherKey = await new EncryptJWT({ client_id: 'app', query: '' }).setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ: 'pushed-request+jwt' })
    .setJti('x').setIssuedAt(now).encrypt(deriveKey(secretKey, 'signing keys'))
  const unsigned = [base64url.encode('{"alg":"none"}'), base64url.encode('{"query":""}'), ''].join('.')
  const wrong = ['', 'x', '....', reference.slice(0, -4) + 'AAAA', ...[otherType, otherKey, unsigned].map(it => REFERENCE_PREFIX + it)]
  for (const it of wrong) t.equal(await open(it, 300, now), null, it)
})
