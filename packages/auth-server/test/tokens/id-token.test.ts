import { createHash } from 'node:crypto'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import t, { type Test } from 'tap'
import type { NewClient } from '../../src/stores/clients/client-row.js'
import { codeClient, codeQuery, exchangeForm, form, getCode, post, queryOf } from '../support/code-flow.js'
import { Browser, build, client, fragmentOf, query } from '../support/helper.js'

const ISSUER = 'https://id.example'

/** The app with one client, and what verifies its ID tokens as a library does. */
async function prepare (t: Test, changes: Partial<NewClient> = {}) {
  const { app, stores } = await build(t, { ISSUER })
  await stores.clients.put(codeClient({ implicit: 'allowed', ...changes }))
  const ann = (await stores.users.find('ann'))!
  const verify = async (token: string, options = {}) => {
    const jwks = createLocalJWKSet((await app.inject('/.well-known/jwks.json')).json())
    return await jwtVerify(token, jwks, { issuer: ISSUER, audience: 'app', typ: 'JWT', ...options })
  }
  return { app, stores, ann, verify }
}

const leftHalf = (token: string, hash: string) => {
  const digest = createHash(hash).update(token).digest()
  return digest.subarray(0, digest.length / 2).toString('base64url')
}

for (const [idTokenSignedResponseAlg, hash] of [['RS256', 'sha256'], ['ES256', 'sha256'], ['EdDSA', 'sha512'], ['Ed25519', 'sha512']] as const) {
  t.test(`a code with the scope openid is exchanged for an ID token, signed with ${idTokenSignedResponseAlg}`, async t => {
    const { app, ann, verify } = await prepare(t, { idTokenSignedResponseAlg })
    const code = await getCode(app, { scope: 'openid customer:read', nonce: 'n-0S6_WzA2Mj' })
    const answer = (await post(app, '/token', exchangeForm(code))).json()
    t.equal(answer.scope, 'openid customer:read')
    const { payload, protectedHeader } = await verify(answer.id_token)
    t.equal(protectedHeader.alg, idTokenSignedResponseAlg)
    const { iat, auth_time: authTime } = decodeJwt(answer.access_token)
    t.strictSame(payload, {
      iss: ISSUER,
      sub: ann.id,
      aud: 'app',
      iat,
      exp: iat! + answer.expires_in,
      auth_time: authTime,
      acr: 'urn:frontdesk:acr:password',
      amr: ['pwd'],
      nonce: 'n-0S6_WzA2Mj',
      at_hash: leftHalf(answer.access_token, hash)
    })

    const next = (await post(app, '/token', form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: answer.refresh_token }))).json()
    const refreshed = (await verify(next.id_token)).payload
    t.has(refreshed, { sub: ann.id, aud: 'app', auth_time: authTime, amr: ['pwd'], at_hash: leftHalf(next.access_token, hash) })
    t.notOk('nonce' in refreshed, 'OpenID Connect Core §12.2')
  })
}

t.test('without the scope openid there is no ID token, and with it no answer without one', async t => {
  const { app } = await prepare(t)
  const plain = (await post(app, '/token', exchangeForm(await getCode(app, { scope: 'customer:read', nonce: 'n' })))).json()
  t.strictSame(Object.keys(plain).sort(), ['access_token', 'expires_in', 'refresh_token', 'scope', 'token_type'])
  // The grant of the seed has no ID token: the scope is not reported.
  const implicit = fragmentOf(await new Browser(app).allow(query({ scope: 'openid customer:read offline_access' })))
  t.equal(implicit.scope, 'customer:read')
  t.equal(decodeJwt(implicit.access_token!).scope, 'customer:read')
  t.notOk('id_token' in implicit)

  const full = (await post(app, '/token', exchangeForm(await getCode(app, { scope: 'openid customer:read' })))).json()
  const narrow = form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: full.refresh_token, scope: 'customer:read' })
  t.notOk('id_token' in (await post(app, '/token', narrow)).json(), 'refresh for less')
})

t.test('offline_access is granted where there is a refresh token; plain OAuth requests have any scope, as ever', async t => {
  const { app, stores } = await prepare(t, { grantTypes: ['authorization_code'] })
  const scopeOf = async (scope: string) => (await post(app, '/token', exchangeForm(await getCode(app, { scope })))).json().scope
  t.equal(await scopeOf('openid offline_access'), 'openid')
  t.equal(await scopeOf('a offline_access'), 'a offline_access')
  await stores.clients.change('app', { grantTypes: ['authorization_code', 'refresh_token'] })
  t.equal(await scopeOf('openid offline_access'), 'openid offline_access')
})

t.test('response_type=id_token token gives both in the fragment or a form; the words may come in any order', async t => {
  const { app, ann, verify } = await prepare(t)
  for (const responseType of ['id_token token', 'token id_token']) {
    const answer = fragmentOf(await new Browser(app).allow(query({ response_type: responseType, scope: 'openid', nonce: 'n' })))
    const { payload } = await verify(answer.id_token!)
    t.has(payload, { sub: ann.id, nonce: 'n', at_hash: leftHalf(answer.access_token!, 'sha256') })
    t.has(answer, { token_type: 'Bearer', scope: 'openid', state: 's', iss: ISSUER })
  }
  const search = query({ response_type: 'id_token token', scope: 'openid', nonce: 'n', response_mode: 'form_post' })
  const page = await new Browser(app).allow(search)
  t.equal(page.statusCode, 200)
  t.match(page.body, /name="id_token" value="ey/)
})

t.test('response_type=id_token gives the ID token alone, with the claims of the scope', async t => {
  const { app, stores, ann, verify } = await prepare(t)
  await stores.profiles.change('ann', { name: 'Ann Example', email: 'ann@example.com' })
  const answer = fragmentOf(await new Browser(app).allow(query({ response_type: 'id_token', scope: 'openid profile email', nonce: 'n' })))
  t.strictSame(Object.keys(answer).sort(), ['id_token', 'iss', 'state'])
  const { payload } = await verify(answer.id_token!)
  t.has(payload, {
    sub: ann.id, name: 'Ann Example', preferred_username: 'ann', email: 'ann@example.com', email_verified: false, nonce: 'n'
  })
  t.notOk('at_hash' in payload)
})

t.test('a request for an ID token in the browser needs openid and a nonce; a nonce must be short text', async t => {
  const { app } = await prepare(t)
  const browser = new Browser(app)
  const errorOf = async (changes: Record<string, string | undefined>) => {
    const { error, error_description: description } = fragmentOf(await browser.get(`/authorize?${query(changes)}`))
    return `${error}: ${description}`
  }
  const asked = { response_type: 'id_token token', scope: 'openid', nonce: 'n' }
  t.equal(await errorOf({ ...asked, scope: 'customer:read' }), 'invalid_request: This response type returns an ID token, so the scope must include openid.')
  t.equal(await errorOf({ ...asked, scope: undefined }), 'invalid_request: This response type returns an ID token, so the scope must include openid.')
  t.equal(await errorOf({ ...asked, nonce: undefined }), 'invalid_request: The parameter nonce is missing.')
  t.equal(await errorOf({ ...asked, nonce: 'n'.repeat(501) }), 'invalid_request: The parameter nonce has an invalid value.')
  t.equal(await errorOf({ ...asked, nonce: 'a\0b' }), 'invalid_request: The parameter nonce has an invalid value.')
  t.equal(await errorOf({ ...asked, response_type: 'code id_token' }), 'unsupported_response_type: This server does not support the response type.')
  const code = queryOf(await browser.get(`/authorize?${codeQuery({ scope: 'openid', nonce: 'n'.repeat(501) })}`))
  t.equal(code.error_description, 'The parameter nonce has an invalid value.')
})

t.test('a client that may not use the implicit grant gets no ID token in the browser either', async t => {
  const { app } = await prepare(t, { implicit: 'off' })
  const browser = new Browser(app)
  for (const responseType of ['id_token', 'id_token token']) {
    const answer = fragmentOf(await browser.get(`/authorize?${query({ response_type: responseType, scope: 'openid', nonce: 'n' })}`))
    t.equal(answer.error, 'unauthorized_client')
  }
})

t.test('apps that should leave the implicit grant are told so with an ID token, too', async t => {
  const { app, stores } = await prepare(t)
  await stores.clients.setImplicit('app', { implicit: 'warn', implicitUntil: null }, new Date())
  for (const responseType of ['id_token', 'token id_token']) {
    const { headers } = await app.inject(`/authorize?${query({ response_type: responseType, scope: 'openid', nonce: 'n' })}`)
    t.match(headers.deprecation, /^@\d+$/, responseType)
  }
})

t.test('an ID token alone has no scope of an API', async t => {
  const { app } = await prepare(t)
  const { body } = await new Browser(app).get(`/consent?${query({ response_type: 'id_token', scope: 'openid customer:read', nonce: 'n' })}`)
  t.match(body, 'Know who you are')
  t.notMatch(body, 'Look up customers')
})

t.test('client credentials give no ID token, and do not report openid', async t => {
  const { app, stores } = await prepare(t, { grantTypes: ['client_credentials'], tokenEndpointAuthMethod: 'client_secret_post', defaultScope: 'openid a' })
  await stores.clientSecrets.add({ clientId: 'app', hash: createHash('sha256').update('secret').digest('base64url'), createdAt: new Date() })
  const answer = (await post(app, '/token', form({ grant_type: 'client_credentials', client_id: 'app', client_secret: 'secret' }))).json()
  t.has(answer, { scope: 'a' })
  t.notOk('id_token' in answer)
})

t.test('access tokens are not ID tokens, and the other way round', async t => {
  const { app, verify } = await prepare(t)
  const answer = (await post(app, '/token', exchangeForm(await getCode(app, { scope: 'openid' })))).json()
  t.equal(decodeProtectedHeader(answer.access_token).typ, 'at+jwt')
  await t.rejects(verify(answer.access_token))
  const { statusCode } = await app.inject({ url: '/userinfo', headers: { authorization: `Bearer ${answer.id_token}` } })
  t.equal(statusCode, 401)
})

t.test('the consent page says in words what an app will see', async t => {
  const { app, stores } = await build(t, { ISSUER })
  await stores.clients.put(client())
  const { body } = await new Browser(app).get(`/consent?${query({ response_type: 'id_token', scope: 'openid profile email', nonce: 'n' })}`)
  for (const words of ['Know who you are', 'See your name, user name, language and picture', 'See your email address']) {
    t.match(body, words)
  }
})
