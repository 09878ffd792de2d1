import { temporaryFolder } from '@frontdesk/test-kit/database'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { readdirSync } from 'node:fs'
import t from 'tap'
import { start } from '../../src/testing/start.js'

const AUDIENCE = 'https://api.example'
const CALLBACK = 'https://app.example/cb'

const server = await start({ audience: AUDIENCE })
t.teardown(() => server.close())
await server.addClient({ id: 'my-app', defaultScope: 'customer:read', callbacks: [CALLBACK], implicit: 'allowed' })
const job = await server.addClient({
  id: 'my-job', grantTypes: ['client_credentials'], tokenEndpointAuthMethod: 'client_secret_basic', defaultScope: 'a b'
})
const basic = `Basic ${Buffer.from(`my-job:${job.secret}`).toString('base64')}`

/** What /introspect says of a token to the app `my-job`. */
async function introspect (token: string) {
  const answer = await fetch(`${server.issuer}/introspect`, {
    method: 'POST', headers: { authorization: basic }, body: new URLSearchParams({ token })
  })
  // as: RFC 7662 §2.2.
  return await answer.json() as { active: boolean }
}

t.test('a token for a person or an app is like those of the endpoints (RFC 9068 §2)', async t => {
  const keys = createRemoteJWKSet(new URL(server.jwksUrl))
  const verify = async (token: string) => await jwtVerify(token, keys, { issuer: server.issuer, audience: AUDIENCE, typ: 'at+jwt' })
  const answer = await fetch(`${server.issuer}/token`, {
    method: 'POST', headers: { authorization: basic }, body: new URLSearchParams({ grant_type: 'client_credentials' })
  })
  // as: RFC 6749 §5.1.
  const issued = await verify((await answer.json() as { access_token: string }).access_token)
  const own = await verify(await server.tokenFor({ client: 'my-job' }))
  const changing = { iat: 0, exp: 0, jti: '' }
  t.same({ ...own.payload, ...changing }, { ...issued.payload, ...changing })
  t.same(own.protectedHeader, issued.protectedHeader)

  const request = { client: 'my-app', sub: 'ann', audience: 'https://other.example', expiresIn: 77, jkt: 'x' }
  const { iat, exp, ...claims } = decodeJwt(await server.tokenFor(request))
  t.equal(exp! - iat!, 77)
  t.match(claims, { sub: 'ann', client_id: 'my-app', scope: 'customer:read', aud: 'https://other.example', cnf: { jkt: 'x' }, auth_time: iat })
})

t.test('a person signs in and allows the app access', async t => {
  const { id, username, password } = await server.addPerson({ username: 'ann' })
  const query = new URLSearchParams({ response_type: 'token', client_id: 'my-app', redirect_uri: CALLBACK, state: 's' })
  const page = await fetch(`${server.issuer}/consent?${query}`)
  const transaction = /name="transaction" value="([^"]+)"/.exec(await page.text())![1]!
  const answer = await fetch(page.url, {
    method: 'POST', redirect: 'manual', headers: { cookie: page.headers.getSetCookie().join('; ') }, body: new URLSearchParams({ transaction, decision: 'allow', username, password })
  })
  const fragment = new URLSearchParams(new URL(answer.headers.get('location')!).hash.slice(1))
  t.match(decodeJwt(fragment.get('access_token')!), { sub: id, client_id: 'my-app', scope: 'customer:read' })
})

t.test('a revoked token is inactive and in the feed', async t => {
  const token = await server.tokenFor({ client: 'my-app', sub: 'ann' })
  t.match(await introspect(token), { active: true })
  await fetch(`${server.issuer}/revoke`, { method: 'POST', body: new URLSearchParams({ token, client_id: 'my-app' }) })
  t.match(await introspect(token), { active: false })
  // as: the schema RevocationList.
  const { revoked } = await (await fetch(server.revocationsUrl)).json() as { revoked: Array<{ id: string }> }
  t.same(revoked.map(({ id }) => id), [decodeJwt(token).jti])
})

t.test('its clock can be set: tokens end, and the signing key is rotated', async t => {
  const server = await start({ now: new Date('2031-01-01T00:00:00Z'), settings: { SIGNING_ALG: 'EdDSA' } })
  t.teardown(() => server.close())
  await server.addClient({ id: 'my-app' })
  const kid = (token: string) => JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid
  const seconds = (token: string) => decodeJwt(token).iat! - Date.parse('2031-01-01T00:00:00Z') / 1_000
  const first = await server.tokenFor({ client: 'my-app' })
  t.ok(seconds(first) < 60)
  await server.advance(90 * 86_400)
  const announced = await server.tokenFor({ client: 'my-app' })
  t.ok(seconds(announced) >= 90 * 86_400)
  t.equal(kid(announced), kid(first), 'a new key is published before it signs')
  await server.advance(3_600)
  t.not(kid(await server.tokenFor({ client: 'my-app' })), kid(first))
  await server.setTime(new Date('2031-01-01T00:00:00Z'))
  t.ok(seconds(await server.tokenFor({ client: 'my-app' })) < 60)
  // as: the schema RevocationList.
  const { now } = await (await fetch(server.revocationsUrl)).json() as { now: number }
  t.ok(now - Date.parse('2031-01-01T00:00:00Z') / 1_000 < 60, 'the feed has the same clock')
})

t.test('bad tokens are inactive here, too', async t => {
  const request = { client: 'my-app', sub: 'ann', scope: 'customer:read' }
  t.match(await introspect(await server.tokenFor(request)), { active: true })
  const bad = await server.badTokens(request)
  t.equal(new Set(bad.map(({ name }) => name)).size, bad.length)
  // Another audience is for resource servers to refuse, and jose decides about what is strict.
  for (const { name, token, strict } of bad.filter(({ name }) => !/audience|aud$/.test(name))) {
    if (!strict) t.match(await introspect(token), { active: false }, name)
  }
})

t.test('mistakes are told', async t => {
  await t.rejects(server.tokenFor({ client: 'nobody' }), { message: 'No app has the client_id "nobody". Register it with addClient.' })
  await t.rejects(server.addClient({ id: 'my-app' }), { message: 'The client_id "my-app" is taken.' })
  await t.rejects(server.addClient({ id: 'a b', callbacks: ['x'] }), { message: /^The client_id must be 1 to 100 .*callback/ })
  await server.addPerson({ username: 'otto' })
  await t.rejects(server.addPerson({ username: 'Otto' }), { message: 'The user name "Otto" is taken.' })
  await t.rejects(start({ settings: { SIGNING_ALG: 'HS256' } }), { message: /SIGNING_ALG must be ES256, RS256, EdDSA or Ed25519/ })
})

t.test('nothing is left after close', async t => {
  const { TMPDIR } = process.env
  const folder = temporaryFolder(t)
  process.env.TMPDIR = folder
  const starting = start()
  if (TMPDIR === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = TMPDIR
  const server = await starting
  t.equal(readdirSync(folder).length, 1)
  t.ok((await fetch(server.jwksUrl)).ok)
  await server.close()
  t.same(readdirSync(folder), [])
  await t.rejects(fetch(server.jwksUrl))
})
