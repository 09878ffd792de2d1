import { createRemoteJWKSet, jwtVerify } from 'jose'
import t from 'tap'
import { hashSource } from '@frontdesk/service-kit/pages/plain-page'
import { signInScript } from '../../../src/routes/page-script.js'
import { bytesOf } from '../../support/database.js'
import { Browser, build, CALLBACK, client, fragmentOf, query } from '../../support/helper.js'

export const onBothDatabases = true

t.test('Allow answers 303 to the callback with the token in the fragment (RFC 6749 §4.2.2)', async t => {
  const { app } = await build(t)
  const response = await new Browser(app).allow(query({ state: 'a b' }))
  t.equal(response.statusCode, 303, 'RFC 9700 §4.12')
  t.ok(response.headers.location?.startsWith(`${CALLBACK}#access_token=`))
  t.match(fragmentOf(response), {
    token_type: 'Bearer',
    expires_in: '600',
    scope: 'customer:read',
    state: 'a b',
    iss: 'https://id.example'
  })
  t.notOk('refresh_token' in fragmentOf(response))
  t.equal(response.headers['cache-control'], 'no-store')
  t.equal(response.headers['referrer-policy'], 'no-referrer')
})

t.test('the access token is a JWT by RFC 9068 that the published keys verify', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(client({ resources: ['https://other.example'], accessTokenTtl: 60 }))
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const keys = createRemoteJWKSet(new URL(`${address}/.well-known/jwks.json`))
  const user = await stores.users.find('ann')
  const before = Math.floor(Date.now() / 1000)

  const answer = fragmentOf(
    await new Browser(app).allow(query({ scope: 'customer:read x "y" customer:read é', resource: 'https://other.example' }))
  )
  const { payload, protectedHeader } = await jwtVerify(answer.access_token!, keys, {
    issuer: 'https://id.example',
    audience: 'https://other.example',
    typ: 'at+jwt'
  })
  t.same(Object.keys(protectedHeader).sort(), ['alg', 'kid', 'typ'])
  t.equal(protectedHeader.alg, 'ES256')
  t.match(payload, { sub: user?.id, client_id: 'app', scope: 'customer:read x', gty: 'implicit', jti: /^[\w-]{36}$/ })
  t.equal(answer.scope, 'customer:read x', 'what fits the grammar of RFC 6749 §3.3, once each')
  t.equal(payload.exp! - payload.iat!, 60)
  t.equal(answer.expires_in, '60')
  t.ok(Number(payload.auth_time) >= before)
  t.not(payload.sub, payload.client_id)

  const second = fragmentOf(await new Browser(app).allow())
  const other = await jwtVerify(second.access_token!, keys, { audience: 'https://api.example' })
  t.not(other.payload.jti, payload.jti, 'jti is unique')
})

t.test('the page says who asks, for what, and where the answer goes', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(client({ name: '<b>Evil & Sons</b>' }))
  const response = await app.inject(`/consent?${query({ scope: 'customer:read customer:delete toString <i>odd</i>' })}`)
  t.equal(response.statusCode, 200)
  t.match(response.body, '&lt;b&gt;Evil &amp; Sons&lt;/b&gt;')
  t.match(response.body, '<strong class="host">app.example</strong>')
  t.match(response.body, '<li>Look up customers</li>')
  t.match(response.body, '<li>Remove customers</li>')
  t.notMatch(response.body, 'Register customers')
  t.match(response.body, '<code>&lt;i&gt;odd&lt;/i&gt;</code>')
  t.match(response.body, '<code>toString</code>')
  t.match(response.body, /<h1>Sign in to <strong>.*name="password".*<li>Look up customers.*app\.example.*>Sign in and allow<.*>Deny</s, 'the fields come first')
  t.match(response.body, '<title>Sign in to &lt;b&gt;Evil &amp; Sons&lt;/b&gt; · ')
  t.match(response.body, 'autocomplete="current-password"')
  const browser = new Browser(app)
  await browser.allow()
  t.match((await browser.get(`/consent?${query()}`)).body, />Allow<.*>Deny</s, 'a user who is signed in only decides')
})

t.test('the page cannot be stored, framed or referred from, and runs its own script only; its form may lead anywhere', async t => {
  const { app, stores } = await build(t)
  for (const callback of [CALLBACK, 'http://localhost:3002/callback', 'com.example.app:/cb', 'http://[::1]:1/cb']) {
    await stores.clients.put(client({ callbacks: [callback] }))
    const { headers } = await app.inject(`/consent?${query({ redirect_uri: callback })}`)
    t.equal(
      headers['content-security-policy'],
      `default-src 'none'; script-src ${hashSource(signInScript)}; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'`
    )
    t.match(headers, {
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff'
    })
    t.notOk('cross-origin-opener-policy' in headers, 'popups keep their opener')
  }
})

t.test('cookies are __Host-, Secure, HttpOnly and SameSite=Lax; plain on http loopback', async t => {
  const { app } = await build(t)
  const { cookies } = await app.inject(`/consent?${query()}`)
  t.match(cookies, [{ name: '__Host-transaction', path: '/', secure: true, httpOnly: true, sameSite: 'Lax' }])
  t.notOk(cookies[0] && 'domain' in cookies[0])
  const signedIn = await new Browser(app).allow()
  t.match(signedIn.cookies, [{ name: '__Host-session', path: '/', secure: true, httpOnly: true, sameSite: 'Lax' }])

  const local = await build(t, { ISSUER: 'http://localhost:3000' })
  t.same((await local.app.inject(`/consent?${query()}`)).cookies.map(it => [it.name, it.secure]), [['transaction-3000', undefined]])
  t.ok(local.logs.some(it => it.includes('plain http')), 'the log says so')
})

t.test('an invalid request is refused on the consent page as on /authorize', async t => {
  const { app } = await build(t)
  for (const method of ['GET', 'POST'] as const) {
    t.equal((await app.inject({ method, url: '/consent' })).statusCode, 400)
    const response = await app.inject({ method, url: `/consent?${query({ response_type: 'code token' })}` })
    t.equal(response.statusCode, method === 'GET' ? 302 : 303)
    t.equal(fragmentOf(response).error, 'unsupported_response_type')
  }
})

t.test('Deny arrives as access_denied, without a password', async t => {
  const { app } = await build(t)
  const browser = new Browser(app)
  const response = await browser.post(`/consent?${query()}`, {
    transaction: await browser.consent(),
    decision: 'deny',
    username: '',
    password: ''
  })
  t.equal(response.statusCode, 303)
  t.match(fragmentOf(response), { error: 'access_denied', state: 's', iss: 'https://id.example' })
})

t.test('10,000 anonymous requests leave the database as it was', async t => {
  const { app, databaseUrl } = await build(t)
  const before = await bytesOf(databaseUrl)
  for (let i = 0; i < 100; i++) {
    await Promise.all(Array.from({ length: 100 }, (_, j) => app.inject(`/authorize?${query({ state: `${i}-${j}` })}`)))
    await app.inject(`/consent?${query({ state: String(i) })}`)
  }
  t.equal(await bytesOf(databaseUrl), before)
})

t.test('no log line holds a token, a password, a cookie or the query of a request', async t => {
  const { app, logs } = await build(t)
  const browser = new Browser(app)
  const allowed = await browser.allow(query({ state: 'secret-state' }))
  await browser.allow(query(), { username: 'ann', password: 'wrong-secret' })
  await app.inject({ url: `/consent?${query()}`, headers: { authorization: 'Bearer a.b.c', cookie: 'x=y' } })
  const text = logs.join('')
  t.ok(logs.length > 6)
  for (const secret of [
    fragmentOf(allowed).access_token!,
    'correct horse',
    'wrong-secret',
    'secret-state',
    ...browser.cookies.values(),
    'redirect_uri',
    'Bearer'
  ]) {
    t.notOk(text.includes(secret), secret.slice(0, 12))
  }
  t.ok(logs.map(it => JSON.parse(it)).some(it => it.msg === 'request' && it.path === '/consent' && it.status === 303), 'one line a request')
})
