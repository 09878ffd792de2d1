import { createHash } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import t, { type Test } from 'tap'
// What it adds to Fastify's types.
import type {} from '../../src/plugins/clock.js'
import { onPostgresql } from '../support/database.js'
import { answerOf, prepare, type Variant } from '../support/openid-conformance/flow.js'

export const onBothDatabases = true

const TYPES = ['code', 'id_token', 'id_token token'] as const

/** What the Basic, the Implicit and the Form Post profile run. How a response is sent is the same on each database. */
const VARIANTS: Variant[] = [
  ...TYPES.map(type => ({ type })),
  ...onPostgresql ? [] : TYPES.map(type => ({ type, mode: 'form_post' as const }))
]

const name = ({ type, mode }: Variant) => mode === undefined ? type : `${type}, ${mode}`
const leftHalf = (text: string) => createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url')

type Server = Awaited<ReturnType<typeof prepare>>
type Run = (t: Test, server: Server, variant: Variant) => Promise<void>

const modules: Array<{ title: string, run: Run, applies: (variant: Variant) => boolean }> = []

/** The test of a module, for every variant that it applies to. */
function module (title: string, run: Run, applies = (_: Variant) => true) {
  modules.push({ title, run, applies })
}

/** Lets seconds pass for what follows in a test. */
function pass (t: Test, { app }: Server, seconds: number) {
  const { clock } = app
  t.intercept(app, 'clock', { value: { ...clock, now: () => new Date(clock.now().getTime() + seconds * 1_000) } })
}

const isCode = ({ type }: Variant) => type === 'code'
const givesAccess = ({ type }: Variant) => type !== 'id_token'

module('oidcc-server', async (t, { stores, signIn, userinfo }) => {
  const { answer, accessToken, claims } = await signIn()
  t.equal(answer.state, 's')
  t.equal(answer.iss, 'https://id.example')
  t.match(claims, { sub: (await stores.users.find('ann'))!.id, nonce: 'n' })
  if (answer.code !== undefined) t.ok(answer.code.length >= 43)
  if (accessToken === undefined) return
  t.equal(claims.at_hash, leftHalf(accessToken))
  t.equal((await userinfo(accessToken)).statusCode, 200)
})

module('oidcc-idtoken-signature', async (t, { signIn }) => {
  const { idToken } = await signIn()
  t.match(decodeProtectedHeader(idToken), { alg: 'RS256', kid: /./ })
})

for (const [module_, changes] of Object.entries({
  'oidcc-display-page': { display: 'page' },
  'oidcc-display-popup': { display: 'popup' },
  'oidcc-login-hint': { login_hint: 'ann' },
  'oidcc-ui-locales': { ui_locales: 'se' },
  'oidcc-claims-locales': { claims_locales: 'se' },
  'oidcc-ensure-request-with-unknown-parameter-succeeds': { extra: 'foobar' }
})) {
  module(module_, async (t, { open, signIn }) => {
    t.ok((await signIn(open(), changes)).claims.sub)
  })
}

module('oidcc-ensure-request-with-acr-values-succeeds', async (t, { app, open, signIn }) => {
  const { acr_values_supported: values } = (await app.inject('/.well-known/openid-configuration')).json()
  const { claims } = await signIn(open(), { acr_values: values.join(' ') })
  t.ok(values.includes(claims.acr))
})

module('oidcc-claims-essential', async (t, { open, signIn, userinfo }, variant) => {
  const place = givesAccess(variant) ? 'userinfo' : 'id_token'
  const signedIn = await signIn(open(), { claims: JSON.stringify({ [place]: { name: { essential: true } } }) })
  const told = givesAccess(variant) ? (await userinfo(signedIn.accessToken)).json() : signedIn.claims
  t.match([told.sub, told.name], [signedIn.claims.sub, 'Ann Example'])
})

for (const [module_, scope, claims] of [
  ['oidcc-scope-profile', 'openid profile', ['name', 'given_name', 'family_name', 'preferred_username', 'locale', 'updated_at']],
  ['oidcc-scope-email', 'openid email', ['email', 'email_verified']],
  ['oidcc-alternate-happy-flow', 'email openid', ['email', 'email_verified']]
] as const) {
  module(module_, async (t, { open, signIn, userinfo }, variant) => {
    const signedIn = await signIn(open(), { scope })
    const told = givesAccess(variant) ? (await userinfo(signedIn.accessToken)).json() : signedIn.claims
    for (const claim of claims) t.ok(claim in told, claim)
    if (givesAccess(variant)) for (const claim of claims) t.notOk(claim in signedIn.claims, `${claim} only at /userinfo`)
  })
}

module('oidcc-prompt-login', async (t, server) => {
  const { open, signIn } = server
  const browser = open()
  const first = await signIn(browser)
  pass(t, server, 2)
  const second = await signIn(browser, { prompt: 'login' })
  t.ok(Number(second.claims.auth_time) > Number(first.claims.auth_time))
  t.equal(second.claims.sub, first.claims.sub)
})

module('oidcc-max-age-1', async (t, server) => {
  const { open, signIn } = server
  const browser = open()
  const first = await signIn(browser)
  pass(t, server, 3)
  const second = await signIn(browser, { max_age: '1' })
  t.ok(Number(second.claims.auth_time) > Number(first.claims.auth_time))
})

module('oidcc-max-age-10000', async (t, { open, signIn }) => {
  const browser = open()
  const first = await signIn(browser, { max_age: '15000' })
  const second = await signIn(browser, { max_age: '10000' })
  t.same([second.claims.auth_time, second.claims.sub], [first.claims.auth_time, first.claims.sub])
})

module('oidcc-prompt-none-not-logged-in', async (t, { open, authorize }) => {
  t.match(answerOf(await authorize(open(), { prompt: 'none' })), { error: 'login_required', state: 's' })
})

for (const [module_, hint] of [['oidcc-prompt-none-logged-in', false], ['oidcc-id-token-hint', true]] as const) {
  module(module_, async (t, { open, signIn }) => {
    const browser = open()
    const first = await signIn(browser)
    const second = await signIn(browser, { prompt: 'none', ...hint && { id_token_hint: first.idToken } })
    t.same([second.claims.auth_time, second.claims.sub], [first.claims.auth_time, first.claims.sub])
  }, isCode)
}

t.test('without a page, no token is put into an address: the implicit grant asks each time, against two modules', async t => {
  const { open, signIn, authorize } = await prepare(t, { type: 'id_token token' })
  const browser = open()
  const { idToken } = await signIn(browser)
  t.match(answerOf(await authorize(browser, { prompt: 'none', id_token_hint: idToken })), { error: 'consent_required' })
})

module('oidcc-ensure-request-without-nonce-fails', async (t, { open, authorize }, variant) => {
  t.match(answerOf(await authorize(open(), { nonce: undefined })), { error: 'invalid_request', state: 's' })
}, variant => !isCode(variant))

module('oidcc-response-type-missing', async (t, { open, authorize }) => {
  t.match(answerOf(await authorize(open(), { response_type: undefined, response_mode: undefined })), { error: 'invalid_request' })
})

module('oidcc-ensure-registered-redirect-uri', async (t, { open, authorize }) => {
  const refused = await authorize(open(), { redirect_uri: 'https://app.example/other' })
  t.match(refused, { statusCode: 400, body: 'not registered' })
  t.equal(refused.headers.location, undefined)
})

module('oidcc-ensure-post-request-succeeds', async (t, { open, signIn }) => {
  t.ok((await signIn(open(), {}, 'POST')).claims.sub)
})

for (const [module_, parameter, error] of [
  ['oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported', 'request', 'request_not_supported'],
  ['oidcc-ensure-request-object-with-redirect-uri', 'request', 'request_not_supported'],
  ['oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported', 'request_uri', 'request_uri_not_supported']
] as const) {
  module(module_, async (t, { open, authorize }) => {
    t.match(answerOf(await authorize(open(), { [parameter]: 'https://app.example/request' })), { error, state: 's' })
  })
}

for (const variant of VARIANTS) {
  t.test(name(variant), async t => {
    const server = await prepare(t, variant)
    for (const { title, run, applies } of modules) {
      if (applies(variant)) await t.test(title, async t => await run(t, server, variant))
    }
  })
}
