import fc from 'fast-check'
import t from 'tap'
import { thrownBy } from '@frontdesk/test-kit/thrown'
import { errors, parameterError, OAuthError, otherClientAuthError, severalClientAuthsError } from '../../src/oauth/errors.js'
import { englishOf } from '../../src/oauth/error-texts.js'
import { httpErrorOf, httpErrors } from '../../src/oauth/http-errors.js'
import { withFragment } from '../../src/oauth/fragment.js'
import { parseForm, parseParameters, single } from '../../src/oauth/parameters.js'
import { parseScope } from '../../src/oauth/scope.js'
import { sourceOf, sourcesOf } from '../../src/sign-in/source.js'

t.test('parameters: what is written is read, and nothing but its own error is thrown', async t => {
  fc.assert(fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })), pairs => {
    const read = parseParameters(new URLSearchParams(pairs).toString())
    t.same(Object.entries(read).sort(), Object.entries(pairs).filter(([, value]) => value !== '').sort())
  }))
  fc.assert(fc.property(fc.string({ unit: 'binary' }), raw => {
    try {
      parseParameters(raw)
    } catch (error) {
      t.ok(error instanceof OAuthError)
    }
  }))
  t.same({ ...parseParameters('a=1&a=2&__proto__=x&b=%2B+') }, { a: ['1', '2'], ['__proto__']: 'x', b: '+ ' })
  t.equal(({} as Record<string, unknown>).x, undefined)
  t.throws(() => single(parseParameters('a=1&a=2'), 'a'), { message: 'a is repeated' })
})

t.test('parameters without a value are omitted (RFC 6749 §3.1, §3.2)', async t => {
  for (const raw of ['a=', 'a', 'a=&a=', '=', '']) t.same(Object.keys(parseParameters(raw)).filter(name => name !== ''), [], raw)
  for (const raw of ['a=1', 'a=1&a=', 'a&a=1&b=']) t.same({ ...parseParameters(raw) }, { a: '1' }, raw)
  t.same({ ...parseParameters('a=1&a=&a=2&b=0') }, { a: ['1', '2'], b: '0' })
  t.notOk('a' in parseForm('a='))
})

t.test('more than 100 parameters are refused, however short they are', async t => {
  t.equal(Object.keys(parseParameters(Array.from({ length: 100 }, (_, index) => `${index}=1`).join('&'))).length, 100)
  t.equal(parseParameters(`${'&'.repeat(8_000)}a=1`).a, '1', 'empty ones do not count')
  for (const raw of [Array.from({ length: 101 }, (_, index) => `${index}=1`).join('&'), 'a=1&'.repeat(4_000), 'a&'.repeat(4_000), '=&'.repeat(4_000)]) {
    t.match(thrownBy(() => parseParameters(raw)), { kind: 'malformedRequest', message: 'more than 100 parameters' }, raw.slice(0, 20))
    t.match(thrownBy(() => parseForm(raw)), { kind: 'invalidForm' }, raw.slice(0, 20))
  }
})

t.test('what cannot be decoded is refused: an address is damaged, a form is incomplete', async t => {
  for (const raw of ['a=é', 'a= ', 'a=\0', 'a=\x7f', '\ta']) {
    t.match(
      thrownBy(() => parseParameters(raw)),
      { description: 'This page\'s address is malformed.', recipient: 'user', message: 'raw characters outside printable ASCII' },
      raw
    )
    t.match(
      thrownBy(() => parseForm(raw)),
      { description: 'The form is incomplete.', message: 'raw characters outside printable ASCII' },
      raw
    )
  }
  for (const raw of ['a=%', 'a=%zz', 'a=%ff', '%c3=1']) {
    t.match(
      thrownBy(() => parseParameters(raw)),
      { description: 'This page\'s address is malformed.', message: 'a broken percent-escape or invalid UTF-8' },
      raw
    )
    t.match(
      thrownBy(() => parseForm(raw)),
      { description: 'The form is incomplete.', message: 'a broken percent-escape or invalid UTF-8' },
      raw
    )
  }
  t.match(thrownBy(() => parseForm('a=x%00')), { description: 'The form is incomplete.', message: 'a NUL character' })
  t.same({ ...parseForm('a=%C3%A9&b=%250') }, { a: 'é', b: '%0' })
  t.same({ ...parseForm('\ufeffa=1') }, { a: '1' }, 'a byte order mark is skipped')
})

t.test('scopes: only scope-tokens (RFC 6749 §3.3), each once, in order', async t => {
  t.same(parseScope(`a ${'x'.repeat(2000)}`), ['a'], 'as much as fits into a token')
  t.same(parseScope(`${'x'.repeat(1_999)} a`), ['x'.repeat(1_999)])
  t.same(parseScope(`${'x'.repeat(1_997)} a`), ['x'.repeat(1_997), 'a'])
  t.same(parseScope('éa aé a\tb a'), ['a'])
  t.same(parseScope('b a  b é "x" \\ a:b/c?d'), ['b', 'a', 'a:b/c?d'])
  fc.assert(fc.property(fc.string({ unit: 'binary' }), text => {
    const scope = parseScope(text)
    t.same(parseScope(scope.join(' ')), scope)
  }))
})

t.test('fragments: the callback keeps its bytes and every value comes back', async t => {
  fc.assert(fc.property(fc.webUrl(), fc.string({ unit: 'grapheme' }), (callback, state) => {
    const location = withFragment(callback, { state, n: 1, absent: undefined })
    t.ok(location.startsWith(`${callback}#`))
    t.match(location.slice(callback.length + 1), /^[\w.~%!'()*=&-]*$/)
    t.same([...new URLSearchParams(location.slice(callback.length + 1))], [['state', state], ['n', '1']])
  }))
})

t.test('descriptions of errors hold none of ? % & # + " \\ and each says what to do', async t => {
  for (const [name, { publicError: { description, advice } }] of Object.entries(errors)) {
    t.match(description, /^[A-Z][^?%&#+"\\]*\.$/, name)
    t.match(englishOf(advice), /\.$/, name)
  }
})

t.test('an error has its kind, whose page explains it; of one parameter it is that of invalid requests', async t => {
  t.match(errors.invalidScope('x'), { kind: 'invalidScope', error: 'invalid_scope' })
  t.match(parameterError('a', 'is missing'), { kind: 'invalidRequest', error: 'invalid_request' })
  t.match(severalClientAuthsError(), {
    error: 'invalid_request',
    statusCode: 400,
    message: 'more than one method of client authentication',
    description: /^The client authenticates in more than one way\. Use one only/
  })
  t.match(otherClientAuthError('none', 'x', { client: 'app' }), {
    kind: 'invalidClient',
    error: 'invalid_client',
    statusCode: 401,
    message: 'x',
    facts: { client: 'app' },
    description: 'This client is registered for the authentication method none. Use that one.'
  })
})

t.test('every status of HTTP has an error that tells it', async t => {
  for (const [status, kind] of [
    [404, 'pathUnknown'],
    [405, 'methodNotAllowed'],
    [413, 'bodyTooLarge'],
    [415, 'mediaTypeUnsupported'],
    [500, 'internalError'],
    [503, 'unavailable'],
    [400, 'pathUnknown'],
    [499, 'pathUnknown'],
    [501, 'internalError']
  ] as const) {
    t.match(
      httpErrorOf(status),
      { kind, statusCode: status, title: httpErrors[kind].title, description: /^[A-Z].+\.$/, advice: httpErrors[kind].advice },
      `${status}`
    )
  }
  t.match(englishOf(httpErrors.internalError.advice), /^This is a problem on our side\. .+ quote the reference\.$/)
})

t.test('the source of attempts is an IPv4 address or the /64 of an IPv6 one', async t => {
  t.equal(sourceOf('192.0.2.1'), '192.0.2.1')
  t.equal(sourceOf('::ffff:192.0.2.1'), '192.0.2.1')
  t.equal(sourceOf('2001:db8:0:1:aaaa::1'), sourceOf('2001:db8:0:1::2'))
  t.not(sourceOf('2001:db8:0:1::1'), sourceOf('2001:db8:0:2::1'))
  t.equal(sourceOf('192.0.2.1:5678'), '192.0.2.1', 'as some proxies write it')
  t.equal(sourceOf('"[2001:db8::1]:443"'), sourceOf('2001:db8::1'))
  t.same(sourcesOf('2001:db8:1:ab12::1'), ['2001:db8:1:ab12::/64', '2001:db8:1:ab00::/56', '2001:db8:1::/48'], 'and what is around it')
  t.same(sourcesOf('192.0.2.1'), ['192.0.2.1'])
  for (const odd of ['unknown', '_hidden', '', '1.2.3.4, garbage']) t.equal(sourceOf(odd), 'unknown', odd)
})
