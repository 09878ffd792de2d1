import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import t from 'tap'
import { Browser } from '../../support/helper.js'
import { sign, startHostile, unsigned, type Misbehavior } from '../../support/hostile-provider.js'

const NOW = Math.floor(Date.now() / 1_000)
const other = await generateKeyPair('ES256')
const rsa = await generateKeyPair('RS256', { extractable: true })

const foreign = async (claims: object) => await new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(other.privateKey)
const withSecret = async (claims: object) =>
  await new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode('a secret: 100 % + more'))
const embedded = async (claims: object) => await new SignJWT({ ...claims })
  .setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(rsa.publicKey) }).sign(rsa.privateKey)

/** An answer that never ends. */
const endless: NonNullable<Misbehavior['paths']>[string] = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const write = () => { while (!response.destroyed && response.write(' '.repeat(65_536))); }
  response.on('drain', write)
  write()
}

const ID_TOKENS: Record<string, Misbehavior> = {
  'the issuer of another provider': { claims: { iss: 'https://other.example' } },
  'an issuer with a slash more': { claims: { iss: 'http://127.0.0.1/' } },
  'the audience of another client': { claims: { aud: 'other' } },
  'two audiences and no azp': { claims: { aud: ['app', 'other'] } },
  'the azp of another client': { claims: { aud: ['app', 'other'], azp: 'other' } },
  'no nonce': { claims: { nonce: undefined } },
  'the nonce of another sign-in': { claims: { nonce: 'x' } },
  'an expiry in the past': { claims: { exp: NOW - 600 } },
  'no expiry': { claims: { exp: undefined } },
  'no sub': { claims: { sub: undefined } },
  'an empty sub': { claims: { sub: '' } },
  'a sub that is no text': { claims: { sub: 1 } },
  'a huge sub': { claims: { sub: 'x'.repeat(256) } },
  'a sign-in in the future': { claims: { auth_time: NOW + 3_600 } },
  'a sign-in of yesterday, although max_age was sent': { claims: { auth_time: NOW - 86_400 } },
  'no signature': { sign: unsigned },
  'the signature of another key': { sign: foreign },
  'the client secret as key': { sign: withSecret },
  'an embedded key': { sign: embedded },
  'no JWT': { sign: async () => 'x.y.z' }
}

t.test('a hostile provider signs no one in', async t => {
  const { attempt, stores, logs } = await startHostile(t, { UPSTREAM_DOMAINS: 'example.com' })
  const claims = { email: 'zoe@example.com', email_verified: true }
  for (const [name, misbehavior] of Object.entries(ID_TOKENS)) {
    const response = await attempt({ ...misbehavior, claims: { ...claims, ...misbehavior.claims } })
    t.equal(response.statusCode, 502, `an ID token with ${name}`)
    t.match(response.body, 'was not accepted', name)
    t.notOk(response.cookies.some(({ name }) => name.includes('session') && name !== ''), name)
  }
  t.equal((await stores.users.list()).length, 1, 'no account was added')
  t.notMatch(logs.join(''), /secret-(code|access-token)|a secret: 100/, 'nothing secret is in the log')
  const good = await attempt({ claims, sign })
  t.equal(good.statusCode, 303, 'the same provider, when it behaves')
})

const unavailable: Record<string, Misbehavior> = {
  'an endless token response': { paths: { '/token': endless } },
  'endless keys': { paths: { '/jwks': endless } },
  'a token endpoint that closes the connection': { paths: { '/token': (request) => { request.socket.destroy() } } },
  'a token endpoint that never answers': { paths: { '/token': () => {} } }
}

t.test('an answer without end, or none, ends in a page', async t => {
  const { attempt } = await startHostile(t)
  for (const [name, misbehavior] of Object.entries(unavailable)) {
    const startedAt = Date.now()
    const { statusCode, body } = await attempt(misbehavior)
    t.equal(statusCode, 503, name)
    t.match(body, 'cannot be reached right now', name)
    t.ok(Date.now() - startedAt < 15_000, `${name}: ${Date.now() - startedAt} ms`)
  }
})

const refused: Record<string, Misbehavior> = {
  'a redirect of the token endpoint': { paths: { '/token': (_, response) => { response.writeHead(302, { location: 'http://169.254.169.254/' }).end() } } },
  'a page instead of tokens': { paths: { '/token': (_, response) => { response.writeHead(200, { 'content-type': 'text/html' }).end('<html>') } } },
  'an error of the token endpoint': {
    paths: { '/token': (_, response) => { response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}') } }
  },
  'no iss (RFC 9207)': { callback: query => query.delete('iss') },
  'the iss of another provider (mix-up)': { callback: query => query.set('iss', 'https://other.example') },
  'two codes': { callback: query => query.append('code', 'x') },
  'no code': { callback: query => query.delete('code') },
  'an unknown error': { callback: query => { query.delete('code'); query.set('error', 'x') } }
}

t.test('a response that is not one of the protocol is refused', async t => {
  const { attempt } = await startHostile(t)
  for (const [name, misbehavior] of Object.entries(refused)) {
    t.equal((await attempt(misbehavior)).statusCode, 502, name)
  }
  const denied = await attempt({ callback: query => { query.delete('code'); query.set('error', 'access_denied') } })
  t.equal(denied.statusCode, 403)
  t.match(denied.body, 'did not sign in with the other provider')
})

t.test('UserInfo of another user adds no account (OpenID Connect Core §5.3.2)', async t => {
  const { attempt, stores } = await startHostile(t, { UPSTREAM_DOMAINS: 'example.com' })
  const userinfo = { email: 'zoe@example.com', email_verified: true }
  t.equal((await attempt({ userinfo: { ...userinfo, sub: 'ann' } })).statusCode, 502)
  t.equal((await stores.users.list()).length, 1)
  t.equal((await attempt({ userinfo })).statusCode, 303)
  t.equal((await stores.users.list()).length, 2)
})

const METADATA: Record<string, (issuer: string) => object> = {
  'another issuer': () => ({ issuer: 'https://other.example' }),
  'an address of the authorization endpoint that is no page': () => ({ authorization_endpoint: 'javascript:alert(1)' }),
  'an authorization endpoint without TLS': () => ({ authorization_endpoint: 'http://other.example/' }),
  'no keys': () => ({ jwks_uri: undefined })
}

for (const [name, metadata] of Object.entries(METADATA)) {
  t.test(`metadata with ${name} is not used, and passwords still work`, async t => {
    const { attempt, app } = await startHostile(t)
    const { statusCode, body } = await attempt({ metadata })
    t.equal(statusCode, 503)
    t.match(body, 'You can also sign in with your password.')
    t.equal((await new Browser(app).allow()).statusCode, 303)
  })
}

t.test('a private address that the metadata names is not requested, unless private networks are allowed', async t => {
  const { attempt, requests } = await startHostile(t, { ALLOW_PRIVATE_NETWORKS: 'false' })
  t.equal((await attempt()).statusCode, 503)
  t.same(requests, [])
})
