import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { decodeJwt } from 'jose'
import t from 'tap'
import { form, post } from '../support/code-flow.js'
import { Browser, client, formTokenOf } from '../support/helper.js'
import { receive, send, verify } from '../support/back-channel-logout/receiver.js'
import { AFTER, answerOf, prepare, SECRET } from '../support/openid-conformance/flow.js'

export const onBothDatabases = true

const server = await prepare(t)

t.test('oidcc-discovery-endpoint-verification', async t => {
  const { app } = server
  const metadata = (await app.inject('/.well-known/openid-configuration')).json()
  t.match(metadata, {
    issuer: 'https://id.example',
    authorization_endpoint: /^https:/,
    token_endpoint: /^https:/,
    userinfo_endpoint: /^https:/,
    jwks_uri: /^https:/,
    subject_types_supported: ['public', 'pairwise'],
    claims_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false
  })
  for (const [name, values] of [
    ['scopes_supported', ['openid']], ['response_types_supported', ['code', 'id_token', 'id_token token']],
    ['response_modes_supported', ['form_post']], ['id_token_signing_alg_values_supported', ['RS256']], ['claims_supported', ['sub', 'iss']]
  ] as const) t.same(values.filter(it => !metadata[name].includes(it)), [], name)
  t.same((await app.inject(new URL(metadata.jwks_uri).pathname)).json().keys.filter(({ d }: { d?: string }) => d !== undefined), [])
})

t.test('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', async t => {
  const { open, signIn } = server
  t.notOk('nonce' in (await signIn(open(), { nonce: undefined })).claims)
})

t.test('oidcc-ensure-request-with-valid-pkce-succeeds', async t => {
  const { open, authorize, exchange } = server
  const verifier = 'v'.repeat(43)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const { code } = answerOf(await authorize(open(), { code_challenge: challenge, code_challenge_method: 'S256' }))
  t.ok((await exchange(code!, { code_verifier: verifier })).json().id_token)
})

t.test('oidcc-server-client-secret-post', async t => {
  const { open, authorize, exchange } = await prepare(t, { type: 'code' }, { tokenEndpointAuthMethod: 'client_secret_post' })
  const { code } = answerOf(await authorize(open()))
  t.ok((await exchange(code!, { client_id: 'app', client_secret: SECRET })).json().id_token)
})

for (const module of ['oidcc-codereuse', 'oidcc-codereuse-30seconds']) {
  t.test(module, async t => {
    const { app, open, authorize, exchange, userinfo } = server
    const { code } = answerOf(await authorize(open()))
    const { access_token: accessToken, refresh_token: refreshToken } = (await exchange(code!)).json()
    t.equal((await userinfo(accessToken)).statusCode, 200)
    t.match(await exchange(code!), { statusCode: 400, body: '"error":"invalid_grant"' })
    t.equal((await userinfo(accessToken)).statusCode, 401, 'its tokens are revoked')
    const refresh = form({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: 'app', client_secret: SECRET })
    t.match((await post(app, '/token', refresh)).json(), { error: 'invalid_grant' })
  })
}

t.test('oidcc-refresh-token', async t => {
  const { app, stores, signIn } = server
  await stores.clients.put(client({ id: 'other', grantTypes: ['refresh_token'] }))
  const { tokens, claims } = await signIn()
  const foreign = form({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: 'other' })
  t.match((await post(app, '/token', foreign)).json(), { error: 'invalid_grant' })
  const own = form({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: 'app', client_secret: SECRET })
  const next = (await post(app, '/token', own)).json()
  t.not(next.access_token, tokens.access_token)
  const { iss, sub, aud } = decodeJwt(next.id_token)
  t.same([iss, sub, aud], [claims.iss, claims.sub, claims.aud])
})

for (const type of ['code', 'id_token token'] as const) {
  for (const [module, ask] of Object.entries({
    'oidcc-userinfo-get': (token: string) => ({ method: 'GET', headers: { authorization: `Bearer ${token}` } }),
    'oidcc-userinfo-post-header': (token: string) => ({ method: 'POST', headers: { authorization: `Bearer ${token}` } }),
    'oidcc-userinfo-post-body': (token: string) =>
      ({ method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: form({ access_token: token }) })
  } as const)) {
    t.test(`${module} (${type})`, async t => {
      const { app, signIn } = type === 'code' ? server : await prepare(t, { type })
      const { accessToken, claims } = await signIn()
      const told = await app.inject({ url: '/userinfo', ...ask(accessToken!) })
      t.match(told, { statusCode: 200, headers: { 'content-type': /^application\/json/ } })
      t.equal(told.json().sub, claims.sub)
    })
  }
}

t.test('oidcc-rp-initiated-logout-discovery-endpoint-verification', async t => {
  t.match((await server.app.inject('/.well-known/openid-configuration')).json(), { end_session_endpoint: 'https://id.example/end-session' })
})

const BAD = 'https://app.example/elsewhere'

for (const [module, parameters, expected] of [
  ['oidcc-rp-initiated-logout', { id_token_hint: 'yes', post_logout_redirect_uri: AFTER, state: 'x' }, `${AFTER}?state=x`],
  ['oidcc-rp-initiated-logout-no-state', { id_token_hint: 'yes', post_logout_redirect_uri: AFTER }, AFTER],
  ['oidcc-rp-initiated-logout-no-post-logout-redirect-uri', { id_token_hint: 'yes', state: 'x' }, 'page'],
  ['oidcc-rp-initiated-logout-only-state', { state: 'x' }, 'page'],
  ['oidcc-rp-initiated-logout-no-params', {}, 'page'],
  ['oidcc-rp-initiated-logout-no-id-token-hint', { post_logout_redirect_uri: AFTER, state: 'x' }, 'page'],
  ['oidcc-rp-initiated-logout-bad-id-token-hint', { id_token_hint: 'bad', post_logout_redirect_uri: AFTER }, 'page'],
  ['oidcc-rp-initiated-logout-modified-id-token-hint', { id_token_hint: 'modified', post_logout_redirect_uri: AFTER }, 'page'],
  ['oidcc-rp-initiated-logout-bad-post-logout-redirect-uri', { id_token_hint: 'yes', post_logout_redirect_uri: BAD }, 'error'],
  ['oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri', { id_token_hint: 'yes', post_logout_redirect_uri: `${AFTER}?a=b` }, 'error']
] as Array<[module: string, parameters: Record<string, string>, expected: string]>) {
  t.test(module, async t => {
    const { app, signIn } = server
    const browser = new Browser(app)
    const { idToken } = await signIn(browser)
    const hints: Record<string, string> = { yes: idToken, bad: 'bad', modified: `${idToken.slice(0, -8)}AAAAAAAA` }
    const hint = parameters.id_token_hint
    const search = form({ ...parameters, ...hint !== undefined && { id_token_hint: hints[hint]! } })
    let answer = await browser.get(`/end-session?${search}`)
    // A page asks wherever the ID token does not show who wants it.
    if (formTokenOf(answer) !== '') answer = await browser.post(`/end-session?${search}`, { transaction: formTokenOf(answer) })
    if (expected === 'error') t.match(answer, { statusCode: 400, headers: { location: undefined } })
    else if (expected === 'page') t.match(answer, { statusCode: 200, body: /You(&#39;|')re signed out/, headers: { location: undefined } })
    else t.equal(answer.headers.location, expected)
    const isSignedIn = (await browser.get('/account')).body.includes('You\'re signed in as')
    t.equal(isSignedIn, expected === 'error')
  })
}

t.test('oidcc-backchannel-logout-discovery-endpoint-verification', async t => {
  t.match((await server.app.inject('/.well-known/openid-configuration')).json(), {
    end_session_endpoint: String, backchannel_logout_supported: true, backchannel_logout_session_supported: true
  })
})

t.test('oidcc-backchannel-rp-initiated-logout', async t => {
  const { uri, tokens } = await receive(t)
  const { app, open, signIn } = await prepare(t, undefined, { backchannelLogoutUri: uri }, { ALLOW_PRIVATE_NETWORKS: 'true' })
  const browser = open()
  const { idToken, claims } = await signIn(browser)
  const answer = await browser.get(`/end-session?${form({ id_token_hint: idToken, post_logout_redirect_uri: AFTER, state: 'x' })}`)
  t.equal(answer.headers.location, `${AFTER}?state=x`)
  t.same(await send(app, 1), ['delivered'])
  t.equal(tokens.length, 1)
  const payload = await verify(app, tokens[0]!)
  t.match(payload, { sub: claims.sub, sid: claims.sid, nonce: undefined })
})

t.test('the documentation lists exactly the modules that have a test here', async t => {
  const sources = ['authorization', 'endpoints'].map(name => new URL(`../../../test/openid-conformance/${name}.test.ts`, import.meta.url))
  const tested = sources.flatMap(source => readFileSync(source, 'utf8').match(/'oidcc-[a-z0-9-]+'/g) ?? []).map(it => it.slice(1, -1))
  const document = readFileSync(new URL('../../../../../docs/openid-conformance.md', import.meta.url), 'utf8')
  const [applies = ''] = document.split('## Does not apply')
  const listed = [...applies.matchAll(/`(oidcc-[a-z0-9-]+)`/g)].map(([, module]) => module)
  t.same(listed.sort(), [...new Set(tested)].sort())
})
