import { thrownBy } from '@frontdesk/test-kit/thrown'
import t from 'tap'
import { claimOf, readClaims, withoutCovered } from '../../src/oauth/claims-request.js'

const read = (claims: unknown, granted = ['openid'], gives = { accessToken: true }) =>
  readClaims({ claims: typeof claims === 'string' ? claims : JSON.stringify(claims) }, granted, gives)

t.test('each known claim becomes a scope of its place (OpenID Connect Core §5.5)', async t => {
  const claims = {
    userinfo: { email: null, name: { essential: true }, 'https://a.example/colour': { essential: true }, sub: null, unknown: { values: ['x'] } },
    id_token: { email: { essential: false, value: 'a@example.com', more: { deep: [[]] } }, auth_time: { essential: true }, acr: null }
  }
  t.strictSame(read(claims), { scope: ['userinfo:email', 'userinfo:name', 'id_token:email'], subjects: undefined, acrs: undefined })
  t.strictSame(read(claims, ['openid', 'email', 'id_token:email']).scope, ['userinfo:name'], 'what the scope has already is not added')
  t.strictSame(read(claims, ['openid'], { accessToken: false }).scope, ['id_token:email'], 'without an access token nothing asks /userinfo')
  for (const nothing of [undefined, {}, { userinfo: {} }, { other: 1 }]) {
    const found = nothing === undefined ? readClaims({}, [], { accessToken: true }) : read(nothing)
    t.strictSame(found, { scope: [], subjects: undefined, acrs: undefined })
  }
  t.strictSame(read('{"userinfo":{"__proto__":{"essential":true},"constructor":null,"toString":null}}').scope, [])
})

t.test('sub names who may sign in', async t => {
  const subjects = (sub: unknown) => read({ id_token: { sub } }).subjects
  t.strictSame(subjects({ value: 'a' }), ['a'])
  t.strictSame(subjects({ values: ['a', 'b', 1] }), ['a', 'b'])
  t.strictSame(subjects({ value: 1 }), [], 'a value of another type is that of nobody')
  t.strictSame([subjects(null), subjects({ essential: true })], [undefined, undefined])
})

t.test('the known values of acr are levels that the sign-in must reach', async t => {
  const acrs = (acr: unknown) => read({ id_token: { acr } }).acrs
  t.strictSame(acrs({ values: ['phr', '1', 'urn:frontdesk:acr:mfa'] }), { acrs: ['phr', 'urn:frontdesk:acr:mfa'], isAcrEssential: false })
  t.strictSame(acrs({ value: 'phr', essential: true }), { acrs: ['phr'], isAcrEssential: true })
  t.strictSame([acrs(null), acrs({ essential: true })], [undefined, undefined])
})

t.test('an essential acr that no sign-in has is refused (§5.5.1.1), a voluntary one is not', async t => {
  const held = 'urn:frontdesk:acr:password'
  for (const acr of [null, { value: held, essential: true }, { values: ['1', held], essential: true }, { essential: true }, { values: ['1'] }]) {
    t.strictSame(read({ id_token: { acr } }).scope, [])
  }
  for (const acr of [{ value: '1', essential: true }, { values: ['1', '2'], essential: true }, { values: [], essential: true }]) {
    t.match(thrownBy(() => read({ id_token: { acr } })), { error: 'unmet_authentication_requirements', recipient: 'client' })
  }
})

t.test('everything else is invalid', async t => {
  for (const wrong of [
    'no JSON', '{', 'null', '[]', '1', '"x"', `{"userinfo":{"a":${'['.repeat(1_900)}`, { userinfo: { name: null }, x: 'x'.repeat(2_000) },
    { id_token: [] }, { userinfo: 'name' }, { userinfo: { name: true } }, { userinfo: { name: [] } },
    { id_token: { name: { essential: 'yes' } } }, { id_token: { name: { values: 'x' } } }
  ]) {
    t.match(thrownBy(() => read(wrong)), { error: 'invalid_request', description: 'The parameter claims has an invalid value.' })
  }
  t.match(thrownBy(() => readClaims({ claims: ['{}', '{}'] }, [], { accessToken: true })), { description: 'The parameter claims is repeated.' })
})

t.test('a scope asks for a claim in its place only, and a page says nothing twice', async t => {
  t.strictSame([claimOf('userinfo:email', 'userinfo'), claimOf('id_token:email', 'userinfo')], ['email', undefined])
  t.strictSame([claimOf('userinfo:sub', 'userinfo'), claimOf('email', 'userinfo'), claimOf('__proto__', 'id_token')], [undefined, undefined, undefined])
  t.strictSame(withoutCovered(['openid', 'profile', 'id_token:name', 'id_token:email']), ['openid', 'profile', 'id_token:email'])
})
