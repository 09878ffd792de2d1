import t from 'tap'
import { thrownBy } from '@frontdesk/test-kit/thrown'
import { readAuthorizationRequest, readClientId, readDestination, type Offer } from '../../src/oauth/authorization-request.js'
import type { Client } from '../../src/oauth/client.js'
import { promptsOf } from '../../src/oauth/interaction.js'
import type { Parameters } from '../../src/oauth/parameters.js'
import { registered } from '../support/oauth/client.js'

const CALLBACK = 'https://app.example/cb'
const CHALLENGE = 'x'.repeat(43)
const OTHER = 'https://app.example/other'

const offer: Offer = {
  issuer: 'https://id.example',
  defaultAudience: 'https://api.example',
  adminAudience: undefined,
  mcpResources: [],
  prompts: promptsOf({ signUp: 'off' }),
  responseTypes: [
    { name: 'code', responseModes: ['query', 'form_post'], needsChallenge: true, grantType: 'authorization_code', gives: { idToken: 'on request', accessToken: true, refreshToken: true }, allows: () => true },
    { name: 'token', responseModes: ['fragment'], needsChallenge: false, grantType: 'implicit', gives: { idToken: 'never', accessToken: true, refreshToken: false }, allows: ({ implicit }, now) => implicit === 'allowed' && now < new Date('2031-01-01T00:00:00Z') }
  ]
}
const now = new Date('2030-06-01T00:00:00Z')

const destination = (parameters: Parameters, client: Client | null = registered()) => readDestination(parameters, client, offer)
const read = (parameters: Parameters, client = registered(), at = now) =>
  readAuthorizationRequest(parameters, destination(parameters, client), offer, { now: at, isPushed: false })

t.test('client_id must be present exactly once; the error names the missing parameters', async t => {
  t.equal(readClientId({ client_id: 'app' }), 'app')
  const rows: Array<[parameters: Parameters, missing: string]> = [
    [{}, 'client_id, response_type'], [{ response_type: 'code' }, 'client_id'], [{ response_type: ['a', 'b'] }, 'client_id']
  ]
  for (const [parameters, missing] of rows) {
    t.match(thrownBy(() => readClientId(parameters)), { error: 'invalid_request', kind: 'incompleteRequest', recipient: 'user', message: new RegExp(`^missing: ${missing}$`), facts: {}, shown: { missing: new RegExp(`^${missing}$`) } })
  }
  t.match(thrownBy(() => readClientId({ client_id: ['app', 'app'] })), { error: 'invalid_client', recipient: 'user', message: 'client_id is repeated' })
})

t.test('an answer goes to no callback of a client that is unknown or disabled', async t => {
  t.match(thrownBy(() => destination({}, null)), { error: 'invalid_client', recipient: 'user', message: 'client_id is not registered' })
  t.match(thrownBy(() => destination({}, registered({ disabledAt: now }))), { error: 'invalid_client', recipient: 'user', message: 'the client is disabled', facts: { client: 'app' } })
})

t.test('the callback: the one of the request if it is registered, or the only one (RFC 6749 §3.1.2.3)', async t => {
  const two = registered({ callbacks: [CALLBACK, OTHER] })
  t.match(destination({ redirect_uri: OTHER }, two), { redirectUri: OTHER, callbackNamed: true, client: two })
  t.match(destination({}), { redirectUri: CALLBACK, callbackNamed: false })
  const facts = { client: 'app', registered: [CALLBACK, OTHER] }
  const message = 'redirect_uri is missing: the client has not exactly one callback'
  const shown = { missing: 'redirect_uri' }
  t.match(thrownBy(() => destination({}, two)), { error: 'invalid_request', kind: 'incompleteRequest', recipient: 'user', message, facts, shown })
  t.match(thrownBy(() => destination({}, registered({ callbacks: [] }))), { message, facts: { client: 'app', registered: [] }, shown })
  t.match(thrownBy(() => destination({ redirect_uri: [CALLBACK, CALLBACK] }, two)), { error: 'invalid_request', recipient: 'user', message: 'redirect_uri is repeated', facts })
})

t.test('a request of OpenID Connect names its callback (OpenID Connect Core §3.1.2.1, §3.2.2.1)', async t => {
  const message = 'redirect_uri is missing: a request of OpenID Connect names its callback'
  const rows: Array<[parameters: Parameters, isNeeded: boolean, defaultScope?: string]> = [
    [{ response_type: 'code' }, false], [{ response_type: 'code', scope: 'x' }, false], [{ response_type: 'code', scope: 'openid' }, true],
    [{ response_type: 'code', scope: ['x', 'a openid'] }, true], [{ response_type: ['token', 'code'], scope: 'openid' }, true],
    [{ response_type: 'code' }, true, 'openid'], [{ response_type: 'code', scope: 'x' }, false, 'openid'], [{ response_type: 'token', scope: 'openid' }, false],
    [{ response_type: 'id_token' }, true], [{ response_type: 'token id_token' }, true], [{ response_type: 'code id_token' }, true], [{ scope: 'openid' }, false]
  ]
  for (const [parameters, isNeeded, defaultScope = ''] of rows) {
    const client = registered({ defaultScope })
    if (isNeeded) t.match(thrownBy(() => destination(parameters, client)), { kind: 'incompleteRequest', recipient: 'user', message, shown: { missing: 'redirect_uri' } }, JSON.stringify(parameters))
    else t.equal(destination(parameters, client).redirectUri, CALLBACK, JSON.stringify(parameters))
    t.equal(destination({ ...parameters, redirect_uri: CALLBACK }, client).redirectUri, CALLBACK)
  }
})

t.test('a callback that is not registered: the page shows it and how it differs, the log what may be logged of it', async t => {
  const refusal = (requested: string, client = registered()) => thrownBy(() => destination({ redirect_uri: requested }, client))
  t.match(refusal(`${CALLBACK}/`), {
    error: 'invalid_request',
    recipient: 'user',
    message: 'redirect_uri is not registered',
    shown: { requested: `${CALLBACK}/`, difference: 'trailing slash' },
    facts: { client: 'app', registered: [CALLBACK], requested: `${CALLBACK}/`, difference: 'trailing slash' }
  })
  t.match(refusal(`${CALLBACK}?a\n#access_token=x`), { shown: { requested: `${CALLBACK}?a\n#access_token=x` }, facts: { requested: /cb\?…$/ } })
  t.match(refusal(`${CALLBACK}#access_token=x\ny`), { facts: { requested: /cb#…$/ } })
  t.match(refusal(`${CALLBACK}/${'x'.repeat(3_000)}`), { shown: { requested: /^.{2000}$/ }, facts: { requested: /^.{2000}$/ } })
  t.match(refusal(CALLBACK, registered({ callbacks: [] })), { shown: { difference: 'host' } }, 'none is registered')
})

t.test('the port of a loopback callback is free for native apps alone (RFC 8252 §7.3)', async t => {
  const [listening, callbacks] = ['http://127.0.0.1:51004/cb', ['com.example.app:/cb', 'http://127.0.0.1/cb']]
  t.equal(destination({ redirect_uri: listening }, registered({ native: true, callbacks })).redirectUri, listening)
  t.match(thrownBy(() => destination({ redirect_uri: listening }, registered({ native: false, callbacks }))), { message: 'redirect_uri is not registered' })
  t.match(thrownBy(() => destination({ redirect_uri: 'http://127.0.0.1:51004/other' }, registered({ native: true, callbacks }))), { message: 'redirect_uri is not registered' })
})

t.test('the answer goes in the mode that was asked for if it fits the response type, else in the usual one', async t => {
  const rows: Array<[parameters: Parameters, mode: string]> = [
    [{ response_type: 'code' }, 'query'], [{ response_type: 'code', response_mode: 'form_post' }, 'form_post'], [{ response_type: 'code', response_mode: 'fragment' }, 'query'],
    [{ response_type: 'token' }, 'fragment'], [{ response_type: 'token', response_mode: 'query' }, 'fragment'],
    [{}, 'fragment'], [{ response_type: 'x', response_mode: 'query' }, 'fragment'], [{ response_type: 'code', response_mode: ['form_post', 'form_post'] }, 'query']
  ]
  for (const [parameters, mode] of rows) t.equal(destination(parameters).responseMode, mode, JSON.stringify(parameters))
})

t.test('state comes back as received; absent or repeated it is none', async t => {
  t.equal(destination({ state: ' a' }).state, ' a')
  for (const state of [undefined, ['a', 'b']]) t.equal(destination({ state }).state, undefined)
})

t.test('a valid request holds what was asked for, and else what is usual', async t => {
  const client = registered()
  const usual = { client, redirectUri: CALLBACK, callbackNamed: false, responseMode: 'fragment', state: undefined, responseType: 'token', scope: ['customer:read'], audience: 'https://api.example', codeChallenge: undefined, dpopJkt: null }
  t.has(read({ response_type: 'token' }, client), usual)
  const { interaction, ...code } = read({ response_type: 'code', redirect_uri: CALLBACK, state: 's', scope: 'a b', resource: 'https://files.example', response_mode: 'form_post', code_challenge: CHALLENGE, code_challenge_method: 'S256', prompt: 'login' }, client)
  t.strictSame(code, { client, redirectUri: CALLBACK, callbackNamed: true, responseMode: 'form_post', state: 's', responseType: 'code', scope: ['a', 'b'], audience: 'https://files.example', isAssistant: false, codeChallenge: CHALLENGE, dpopJkt: null, idTokenNonce: null, idTokenHint: undefined, subjects: undefined })
  t.match(interaction, { reauthenticate: true })
  t.equal(read({ response_type: 'token', code_challenge: CHALLENGE, code_challenge_method: 'S256' }, client).codeChallenge, undefined)
  t.match(thrownBy(() => read({ response_type: 'code' })), { message: 'code_challenge is missing' })
})

t.test('every parameter that is understood may be there once (RFC 6749 §3.1); the repeated one is named', async t => {
  for (const name of ['response_type', 'scope', 'state', 'response_mode', 'request', 'request_uri', 'prompt', 'max_age', 'login_hint', 'nonce', 'claims', 'dpop_jkt']) {
    t.match(thrownBy(() => read({ response_type: 'token', [name]: ['a', 'b'] })), { error: 'invalid_request', recipient: 'client', message: `${name} is repeated`, description: `The parameter ${name} is repeated.` })
  }
  for (const name of ['response_type', 'scope', 'response_mode', 'request_uri', 'prompt', 'max_age', 'login_hint', 'nonce', 'claims', 'dpop_jkt']) {
    t.match(thrownBy(() => read({ response_type: 'token', request: 'eyJ', [name]: ['a', 'b'] })), { message: `${name} is repeated` }, 'before anything else')
  }
  t.ok(read({ response_type: 'token', unknown: ['a', 'b'] }))
})

t.test('what is not offered is refused with its own code', async t => {
  const rows: Array<[parameters: Parameters, error: string, message: string]> = [
    [{ response_type: 'token', request: 'eyJ' }, 'request_not_supported', 'request was sent'],
    [{ response_type: 'token', request_uri: 'https://x.example' }, 'request_uri_not_supported', 'request_uri was sent'],
    [{}, 'invalid_request', 'response_type is missing'],
    [{ response_type: 'Token' }, 'unsupported_response_type', 'response_type is not supported'],
    [{ response_type: 'token', response_mode: 'query' }, 'invalid_request', 'response_mode does not fit the response type'],
    [{ response_type: 'token', resource: 'https://other.example' }, 'invalid_target', 'resource is not allowed for the client']
  ]
  for (const [parameters, error, message] of rows) t.match(thrownBy(() => read(parameters)), { error, message, recipient: 'client' }, message)
  t.match(thrownBy(() => read({ response_type: 'token', response_mode: 'query' })), { description: 'The parameter response_mode has an invalid value.' })
  t.ok(read({ response_type: 'token', request: '', request_uri: '', response_mode: '' }), 'empty is absent')
})

t.test('a response type has to be allowed for the client at that time', async t => {
  const refusal = { error: 'unauthorized_client', recipient: 'client', message: 'the client is not allowed to use response_type=token' }
  t.match(thrownBy(() => read({ response_type: 'token' }, registered({ implicit: 'off' }))), refusal)
  t.match(thrownBy(() => read({ response_type: 'token' }, registered(), new Date('2031-01-01T00:00:00Z'))), refusal)
})
