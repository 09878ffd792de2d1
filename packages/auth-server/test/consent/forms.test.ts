import { createSigner, TokenError } from 'fast-jwt'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import t from 'tap'
import { thrownBy } from '@frontdesk/test-kit/thrown'
import { deriveFormKeys } from '../../src/consent/form-keys.js'
import { createRememberedConsent, isAllowed } from '../../src/consent/remembered-consent.js'
import { issueFormToken, verifyFormToken } from '../../src/consent/form-token.js'
import { deriveKey } from '../../src/keys/seal.js'
import type { AuthorizationRequest } from '../../src/oauth/authorization-request.js'
import { registered } from '../support/oauth/client.js'

const secretKey = 'abcdefghijklmnopqrstuvwxyz0123456789'
const keys = deriveFormKeys({ secretKey })
const binding = { browser: 'cookie', query: 'client_id=app' }
// Long ago by the clock of this machine, which must make no difference.
const now = new Date('2020-01-01T00:00:00.999Z')
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds)
const foreign = { error: 'invalid_request', statusCode: 403, description: 'This form does not belong to this browser and request.' }

t.test('the hidden field is a JWT with a nonce that lasts 30 minutes, and shows neither the cookie nor the request', async t => {
  const field = issueFormToken(keys, binding, now, { userId: 'ann' })
  t.same(decodeProtectedHeader(field), { alg: 'HS256', typ: 'consent+jwt' })
  const iat = Date.parse('2020-01-01T00:00:00Z') / 1_000
  t.has(decodeJwt(field), { sub: 'ann', iat, exp: iat + 1_800 })
  t.match(decodeJwt(field), { jti: /^[\w-]{43}$/, bind: /^[\w-]{43}$/ })
  t.not(decodeJwt(issueFormToken(keys, binding, now, { userId: 'ann' })).jti, decodeJwt(field).jti)
  t.notOk('sub' in decodeJwt(issueFormToken(keys, binding, now)))
})

t.test('a form that comes back tells its nonce and who it was shown to, until it has ended', async t => {
  const field = issueFormToken(keys, binding, now, { userId: 'ann' })
  const { jti } = decodeJwt(field)
  for (const time of [now, later(-86_400_000), later(1_799_000)]) {
    t.same(verifyFormToken(keys, field, binding, time), { nonce: jti, userId: 'ann', hasSignedIn: false, isUpgrade: false })
  }
  t.equal(verifyFormToken(keys, issueFormToken(keys, binding, now), binding, now).userId, undefined)
  for (const time of [new Date('2020-01-01T00:30:00Z'), later(86_400_000)]) {
    t.match(
      thrownBy(() => verifyFormToken(keys, field, binding, time)),
      { statusCode: 410, description: 'This page was open for too long.', message: 'the consent page has expired' }
    )
  }
})

t.test('a form for another browser or request is refused', async t => {
  const field = issueFormToken(keys, binding, now, { userId: 'ann' })
  for (const other of [
    { ...binding, browser: 'another' },
    { ...binding, query: 'client_id=other' },
    { browser: '', query: '' },
    { browser: 'cookie client_id=app', query: '' }
  ]) {
    t.match(
      thrownBy(() => verifyFormToken(keys, field, other, now)),
      { ...foreign, message: 'issued for another browser or request' }
    )
  }
})

t.test('only what was made here as it is made here counts', async t => {
  const key = Buffer.from(deriveKey(secretKey, 'consent form'))
  const claims = decodeJwt(issueFormToken(keys, binding, now, { userId: 'ann' }))
  const sign = (changes: object, header: object = { typ: 'consent+jwt' }, algorithm: 'HS256' | 'HS512' = 'HS256', signer = key) =>
    createSigner({ key: signer, algorithm, header: { alg: algorithm, ...header } })({ ...claims, ...changes })
  t.ok(verifyFormToken(keys, sign({}), binding, now), 'the same, written by hand')
  const rows: Array<[field: string, reason: RegExp]> = [
    ['', /^not issued by this server: FAST_JWT_MALFORMED$/],
    ['a.b.c', /^not issued by this server: FAST_JWT_/],
    [sign({}, { typ: 'at+jwt' }), /^not issued by this server: FAST_JWT_INVALID_TYPE$/],
    [sign({}, {}), /^not issued by this server: FAST_JWT_/],
    [sign({}, undefined, 'HS512'), /^not issued by this server: FAST_JWT_INVALID_ALGORITHM$/],
    [sign({ jti: undefined }), /^not issued by this server: FAST_JWT_MISSING_REQUIRED_CLAIM$/],
    [sign({ exp: undefined }), /^not issued by this server: FAST_JWT_MISSING_REQUIRED_CLAIM$/],
    [sign({}, undefined, 'HS256', Buffer.from(deriveKey(secretKey, 'signing keys'))), /^not issued by this server: FAST_JWT_INVALID_SIGNATURE$/]
  ]
  for (const [field, message] of rows) {
    t.match(
      thrownBy(() => verifyFormToken(keys, field, binding, now)),
      { ...foreign, message },
      String(message)
    )
  }
})

t.test('while the secret is changed, forms of the previous one count, and the new one signs', async t => {
  const changed = deriveFormKeys({ secretKey: 'another secret key of many characters', previousSecretKey: secretKey })
  t.same([keys.verifiers.length, changed.verifiers.length], [1, 2])
  t.match(verifyFormToken(changed, issueFormToken(keys, binding, now, { userId: 'ann' }), binding, now), { userId: 'ann' })
  t.match(
    thrownBy(() => verifyFormToken(keys, issueFormToken(changed, binding, now, { userId: 'ann' }), binding, now)),
    { message: 'not issued by this server: FAST_JWT_INVALID_SIGNATURE' }
  )
  t.match(thrownBy(() => verifyFormToken(changed, 'a.b.c', binding, now)), { message: /^not issued by this server/ })
  const third = deriveFormKeys({ secretKey: 'a third secret key of many characters' })
  t.match(
    thrownBy(() => verifyFormToken(changed, issueFormToken(third, binding, now, { userId: 'ann' }), binding, now)),
    { message: 'not issued by this server: FAST_JWT_INVALID_SIGNATURE' }
  )
})

t.test('an error of another kind is not taken for a foreign form', async t => {
  const broken = { ...keys, verifiers: [() => { throw new TypeError('a bug') }] }
  t.match(thrownBy(() => verifyFormToken(broken, 'a.b.c', binding, now)), { name: 'TypeError', message: 'a bug' })
})

t.test('another key is tried only where the signature is not that of the first', async t => {
  const good = () => ({ jti: 'j', exp: now.getTime() })
  for (const [code, isTried] of [[TokenError.codes.invalidSignature, true], [TokenError.codes.invalidType, false]] as const) {
    const { message } = thrownBy(() =>
      verifyFormToken(
        {
          ...keys,
          verifiers: [
            () => {
              throw new TokenError(code, '')
            },
            good
          ]
        },
        '',
        binding,
        now
      )
    ) as Error
    t.equal(message, isTried ? 'issued for another browser or request' : `not issued by this server: ${code}`)
  }
})

t.test('of a request that asks for no scope nothing is looked up or remembered', async t => {
  const unexpected = async () => { throw new Error('a statement') }
  const stores = { consents: { find: unexpected, add: unexpected }, authorizedApps: { scope: unexpected } }
  const remembered = createRememberedConsent(stores, [{ name: 'code', isRepeatable: true }])
  // as: these are all that is looked at.
  const request = {
    responseType: 'code',
    client: registered({ tokenEndpointAuthMethod: 'client_secret_basic' }),
    redirectUri: 'https://app.example/cb',
    scope: [] as string[]
  } as unknown as AuthorizationRequest
  t.strictSame(await remembered.allowed(request, 'ann'), [])
  await remembered.remember(request, { userId: 'ann', nonce: 'n' }, now)
  await t.rejects(remembered.allowed({ ...request, scope: ['a'] }, 'ann'), { message: 'a statement' })
})

t.test('a request is allowed if every scope of it was, and it has one', async t => {
  // as: the scope is all that is looked at.
  const request = (...scope: string[]) => ({ scope }) as unknown as AuthorizationRequest
  for (const [scope, allowed, expected] of [
    [['a'], ['a'], true],
    [['a', 'b'], ['b', 'a', 'c'], true],
    [['a', 'b'], ['a'], false],
    [['a'], [], false],
    [[], ['a'], false]
  ] as const) {
    t.equal(isAllowed(request(...scope), allowed), expected, `${scope.join()} of ${allowed.join()}`)
  }
})
