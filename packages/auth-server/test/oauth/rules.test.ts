import { createHash } from 'node:crypto'
import t from 'tap'
import { thrownBy } from '@frontdesk/test-kit/thrown'
import { provesIdentity } from '../../src/oauth/identity.js'
import { deprecationOf, hasEnded, isImplicitDeprecated, mayUseImplicit } from '../../src/oauth/implicit.js'
import { readInteraction, assertMayAsk, sessionFor } from '../../src/oauth/interaction.js'
import { ANY_ACR } from '../../src/oauth/requested-acr.js'
import { differInPort, loopbackHost } from '../../src/oauth/redirect-uri.js'
import type { Parameters } from '../../src/oauth/parameters.js'
import { readCodeChallenge, readCodeVerifier } from '../../src/oauth/pkce.js'
import { narrowScope } from '../../src/oauth/scope.js'
import { registered } from '../support/oauth/client.js'

const now = new Date('2030-06-01T00:00:00Z')
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds)

t.test('a request that repeats another is the client\'s own if it authenticates, or its callback is https and elsewhere (RFC 8252 §8.6)', async t => {
  const open = { registeredBy: 'operator', tokenEndpointAuthMethod: 'none' } as const
  t.equal(provesIdentity({ ...open, tokenEndpointAuthMethod: 'client_secret_basic' }, 'com.example.app:/cb'), true)
  t.equal(provesIdentity({ ...open, registeredBy: 'open' }, 'https://app.example/cb'), false, 'registered itself')
  for (const callback of ['https://app.example/cb', 'https://localhost.example/cb', 'https://mylocalhost/cb', 'https://128.0.0.1/cb', 'https://127.example/cb', 'https://[::2]/cb']) {
    t.equal(provesIdentity(open, callback), true, callback)
  }
  for (const callback of [
    'http://app.example/cb', 'com.example.app:/cb', 'https://localhost/cb', 'https://localhost./cb', 'https://a.localhost:8443/cb', 'https://app.localhost/cb', 'https://127.0.0.1/cb', 'https://127.1.2.3/cb', 'https://[::1]/cb', 'http://localhost/cb'
  ]) t.equal(provesIdentity(open, callback), false, callback)
})

t.test('the implicit grant is for those who may use it, until its day has come', async t => {
  t.equal(mayUseImplicit(registered(), now), true)
  t.equal(mayUseImplicit(registered({ implicit: 'warn' }), now), true)
  t.equal(mayUseImplicit(registered({ implicit: 'until', implicitUntil: later(1) }), now), true)
  t.equal(mayUseImplicit(registered({ implicit: 'off' }), now), false)
  t.match(thrownBy(() => mayUseImplicit(registered({ implicit: 'until', implicitUntil: now }), now)), {
    error: 'unauthorized_client', message: 'the implicit grant ended for the client at 2030-06-01T00:00:00.000Z', facts: { client: 'app' }
  })
  for (const [implicit, until, ended] of [['off', null, true], ['allowed', null, false], ['warn', null, false], ['until', now, true], ['until', later(1), false], ['until', later(-1), true]] as const) {
    t.equal(hasEnded({ implicit, implicitUntil: until }, now), ended, `${implicit} ${until?.toISOString()}`)
  }
  for (const [implicit, leaving] of [['allowed', false], ['warn', true], ['until', true], ['off', false]] as const) t.equal(isImplicitDeprecated({ implicit }), leaving, implicit)
})

t.test('header fields tell a client to leave: since when, by when, and how (RFC 9745, RFC 8594)', async t => {
  const link = '<https://id.example/leave>; rel="deprecation"; type="text/html"'
  const headers = (implicitDeprecatedAt: Date | null, implicitUntil: Date | null) => deprecationOf(registered({ implicitDeprecatedAt, implicitUntil }), 'https://id.example/leave')
  t.strictSame(headers(later(999), null), { deprecation: '@1906502400', link })
  t.strictSame(headers(now, later(86_400_000)), { deprecation: '@1906502400', sunset: 'Sun, 02 Jun 2030 00:00:00 GMT', link })
  t.strictSame(headers(later(86_400_000), now), { deprecation: '@1906502400', sunset: 'Sat, 01 Jun 2030 00:00:00 GMT', link }, 'not after the end')
  t.strictSame(headers(null, null), { deprecation: '@0', link })
})

t.test('how the person is to be asked (OpenID Connect Core §3.1.2.1)', async t => {
  const usual = {
    silent: false, create: false, asked: false, reauthenticate: false, maxAge: undefined, loginHint: undefined, ...ANY_ACR
  }
  const rows: Array<[parameters: Parameters, interaction: object]> = [
    [{}, usual],
    [{ prompt: '', max_age: '', login_hint: '' }, usual],
    [{ prompt: 'none' }, { ...usual, silent: true }],
    [{ prompt: ' none ' }, { ...usual, silent: true }],
    [{ prompt: 'consent' }, { ...usual, asked: true }],
    [{ prompt: 'select_account' }, { ...usual, asked: true }],
    [{ prompt: 'login' }, { ...usual, reauthenticate: true }],
    [{ prompt: 'login consent' }, { ...usual, reauthenticate: true, asked: true }],
    [{ max_age: '0' }, { ...usual, maxAge: 0 }],
    [{ max_age: '999999999' }, { ...usual, maxAge: 999_999_999 }],
    [{ acr_values: 'phr x urn:frontdesk:acr:mfa phr' }, { ...usual, acrs: ['phr', 'urn:frontdesk:acr:mfa'] }],
    [{ login_hint: 'x'.repeat(201) }, { ...usual, loginHint: 'x'.repeat(200) }]
  ]
  for (const [parameters, interaction] of rows) t.strictSame(readInteraction(parameters, true), interaction, JSON.stringify(parameters))
  for (const prompt of ['none login', 'consent none']) {
    t.match(thrownBy(() => readInteraction({ prompt }, true)), { error: 'invalid_request', message: 'prompt has none and other values', description: 'The parameter prompt has an invalid value.' })
  }
  for (const [prompt, interaction] of [['create', usual], ['create login', { ...usual, reauthenticate: true }]] as const) {
    t.strictSame(readInteraction({ prompt }, false), interaction, 'not one of OpenID Connect')
    t.match(thrownBy(() => readInteraction({ prompt }, true)), { error: 'invalid_request', message: 'prompt is unknown', description: 'The parameter prompt has an invalid value.' })
  }
  for (const age of ['soon', '-1', '1.5', ' 1', '1s', '1000000000']) {
    t.match(thrownBy(() => readInteraction({ max_age: age }, true)), { error: 'invalid_request', message: 'max_age is not a number of seconds', description: 'The parameter max_age has an invalid value.' }, age)
  }
})

t.test('a session will do unless the password is asked for, or was given too long ago', async t => {
  const session = { authTime: later(-10_000) }
  const usual = readInteraction({}, true)
  t.equal(sessionFor(usual, session, now), session)
  t.equal(sessionFor(usual, null, now), null)
  t.equal(sessionFor(readInteraction({ prompt: 'login' }, true), session, now), null)
  t.equal(sessionFor(readInteraction({ max_age: '10' }, true), session, now), session)
  t.equal(sessionFor(readInteraction({ max_age: '9' }, true), session, now), null)
  t.equal(sessionFor(readInteraction({ max_age: '10' }, true), session, later(1)), null)
})

t.test('with prompt=none no page is shown', async t => {
  const silent = readInteraction({ prompt: 'none' }, true)
  t.equal(assertMayAsk(readInteraction({}, true), null), undefined)
  t.match(thrownBy(() => assertMayAsk(silent, null)), { error: 'login_required', message: 'prompt is none' })
  t.match(thrownBy(() => assertMayAsk(silent, {})), { error: 'consent_required', message: 'prompt is none' })
})

t.test('two callbacks on loopback may differ in the port and in nothing else (RFC 8252 §7.3)', async t => {
  const rows: Array<[requested: string, registered: string, same: boolean]> = [
    ['http://127.0.0.1:1/cb', 'http://127.0.0.1/cb', true], ['http://127.0.0.1:65535/cb', 'http://127.0.0.1:80/cb', true], ['http://[::1]:8080?a\nb', 'http://[::1]?a\nb', true],
    ['http://localhost:3000', 'http://localhost', true], ['http://localhost/cb', 'http://localhost:1/cb', true],
    ['http://127.0.0.1:65536/cb', 'http://127.0.0.1/cb', false], ['http://127.0.0.1:0/cb', 'http://127.0.0.1/cb', false], ['http://127.0.0.1:080/cb', 'http://127.0.0.1/cb', false],
    ['http://127.0.0.1:100000/cb', 'http://127.0.0.1/cb', false], ['http://127.0.0.1:1/cb2', 'http://127.0.0.1/cb', false], ['http://localhost:1/cb', 'http://127.0.0.1/cb', false],
    ['https://127.0.0.1:1/cb', 'https://127.0.0.1/cb', false], ['http://127.0.0.1:1cb', 'http://127.0.0.1', false], ['xhttp://127.0.0.1/cb', 'xhttp://127.0.0.1/cb', false],
    ['http://127.0.0.1.example/cb', 'http://127.0.0.1.example/cb', false], ['https://app.example/cb', 'http://127.0.0.1/cb', false], ['http://127.0.0.1/cb', 'https://app.example/cb', false]
  ]
  for (const [requested, registered, same] of rows) t.equal(differInPort(requested, registered), same, `${requested} ${registered}`)
  for (const [origin, host] of [['http://localhost:3000', 'http://localhost'], ['http://[::1]', 'http://[::1]'], ['https://localhost', undefined]] as const) t.equal(loopbackHost(origin), host)
})

const mayOmit = registered({ pkce: 'optional', tokenEndpointAuthMethod: 'client_secret_basic' })

t.test('a code challenge has to be there and made with S256 (RFC 7636 §4.3)', async t => {
  const challenge = 'aZ09-_'.padEnd(43, 'x')
  for (const client of [registered(), mayOmit]) t.equal(readCodeChallenge({ code_challenge: challenge, code_challenge_method: 'S256' }, client), challenge)
  const rows: Array<[parameters: Parameters, message: string]> = [
    [{ code_challenge_method: 'S256' }, 'code_challenge is missing'],
    [{ code_challenge: challenge }, 'code_challenge_method is not S256'],
    [{ code_challenge: challenge, code_challenge_method: 'plain' }, 'code_challenge_method is not S256'],
    ...[challenge.slice(1), `${challenge}x`, `.${challenge.slice(1)}`].map((bad): [Parameters, string] => [{ code_challenge: bad, code_challenge_method: 'S256' }, 'code_challenge is not a SHA-256 in base64url'])
  ]
  for (const client of [registered(), mayOmit]) {
    for (const [parameters, message] of rows) t.match(thrownBy(() => readCodeChallenge(parameters, client)), { error: 'invalid_request', description: /S256/, message }, message)
  }
})

t.test('a code verifier gives the challenge that it belongs to (RFC 7636 §4.1, §4.5)', async t => {
  for (const verifier of ['~._-'.padEnd(43, 'x'), 'x'.repeat(128)]) {
    for (const client of [registered(), mayOmit]) t.equal(readCodeVerifier({ code_verifier: verifier }, client), createHash('sha256').update(verifier).digest('base64url'))
  }
  t.match(thrownBy(() => readCodeVerifier({}, registered())), { error: 'invalid_request', message: 'code_verifier is missing', description: 'The parameter code_verifier is missing.' })
  for (const verifier of ['x'.repeat(42), 'x'.repeat(129), `+${'x'.repeat(43)}`, `${'x'.repeat(43)}+`]) {
    t.match(thrownBy(() => readCodeVerifier({ code_verifier: verifier }, mayOmit)), { error: 'invalid_grant', message: 'code_verifier does not have 43 to 128 unreserved characters' }, verifier)
  }
})

t.test('only a confidential client that is registered so may leave PKCE out (RFC 9700 §2.1.1)', async t => {
  t.equal(readCodeChallenge({}, mayOmit), '')
  t.equal(readCodeVerifier({}, mayOmit), '')
  for (const client of [registered({ pkce: 'optional' }), registered({ tokenEndpointAuthMethod: 'client_secret_basic' })]) {
    t.match(thrownBy(() => readCodeChallenge({}, client)), { message: 'code_challenge is missing' })
    t.match(thrownBy(() => readCodeVerifier({}, client)), { message: 'code_verifier is missing' })
  }
})

t.test('a form may name less of the scope that was granted, and nothing else (RFC 6749 §6)', async t => {
  for (const [scope, narrowed] of [[undefined, ['a', 'b']], ['', ['a', 'b']], [' b  b', ['b']], ['b a', ['b', 'a']], [' ', []]] as const) t.strictSame(narrowScope({ scope }, 'a b'), narrowed, `${scope}`)
  for (const scope of ['a c', 'c', 'A', 'é']) t.match(thrownBy(() => narrowScope({ scope }, 'a b')), { error: 'invalid_scope', message: 'scope was not granted' }, scope)
})
