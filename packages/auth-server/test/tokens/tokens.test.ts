import { decodeJwt, decodeProtectedHeader } from 'jose'
import t, { type Test } from 'tap'
import { openKeyRing } from '../../src/keys/key-ring.js'
import { openStores } from '../../src/stores/stores.js'
import { createTokenIssuer } from '../../src/tokens/issue.js'
import { mintAccessToken } from '../../src/tokens/access-token.js'
import { createReadAccessToken } from '../../src/tokens/read-access-token.js'
import { sqliteFile } from '../support/database.js'
import { registered } from '../support/oauth/client.js'

const issuer = 'https://id.example'
const now = new Date('2030-01-01T00:00:00.999Z')
const iat = Date.parse('2030-01-01T00:00:00Z') / 1_000
const later = (seconds: number) => new Date((iat + seconds) * 1_000)

async function open (t: Test) {
  const stores = await openStores(sqliteFile(t))
  t.teardown(() => stores.close())
  return await openKeyRing(stores.signingKeys, { signingAlg: 'ES256', secretKey: 'abcdefghijklmnopqrstuvwxyz0123456789' })
}

/** No scope of these tests asks for an ID token. */
const idTokens = { sign: async () => '', ready: async () => {}, keys: () => [], refresh: async () => ({ made: [], retired: [] }) }

const content = {
  issuer,
  subject: 'ann',
  audience: 'https://api.example',
  clientId: 'app',
  scope: ['a', 'b'],
  authentication: { authTime: later(-60), amr: 'pwd' },
  grantType: 'implicit',
  jti: 'j'
}

/** What a token issuer needs, except its keys and the lifetimes of refresh tokens. */
const parts = { profiles: { find: async () => null }, issuer, accessTokenTtl: 600, rolesClaim: 'roles' } as const

t.test('an access token holds the claims of RFC 9068 §2.2, times in whole seconds', async t => {
  const keys = await open(t)
  const token = mintAccessToken(keys, { ...content, grantId: 'g' }, now, 600)
  t.has(decodeProtectedHeader(token), { alg: 'ES256', typ: 'at+jwt' })
  t.strictSame(decodeJwt(token), {
    iss: issuer,
    sub: 'ann',
    aud: 'https://api.example',
    client_id: 'app',
    scope: 'a b',
    iat,
    exp: iat + 600,
    jti: 'j',
    auth_time: iat - 60,
    acr: 'urn:frontdesk:acr:password',
    amr: ['pwd'],
    gty: 'implicit',
    grant_id: 'g'
  })
  const without = decodeJwt(mintAccessToken(keys, { ...content, authentication: undefined }, now, 600))
  for (const name of ['auth_time', 'acr', 'amr', 'grant_id']) t.notOk(name in without, name)
})

t.test('acr follows from amr: a passkey is phishing-resistant, alone or after a password', async t => {
  const keys = await open(t)
  for (const [amr, acr] of [
    ['pwd', 'urn:frontdesk:acr:password'], ['pwd otp mfa', 'urn:frontdesk:acr:mfa'], ['pwd pop mfa', 'phr'], ['pop user mfa', 'phr']
  ] as const) {
    const token = mintAccessToken(keys, { ...content, authentication: { authTime: now, amr } }, now, 600)
    t.has(decodeJwt(token), { auth_time: iat, acr, amr: amr.split(' ') })
  }
})

t.test('what is issued lasts as long as the client or else the server says; refresh tokens never longer than their family', async t => {
  const keys = await open(t)
  const tokens = createTokenIssuer({ ...parts, keys, idTokens, refreshTokenTtl: 5_000, refreshTokenIdleTtl: 1_000 })
  const what = {
    userId: 'ann',
    audience: 'https://api.example',
    scope: ['a', 'b'],
    authentication: { authTime: later(-60), amr: 'pwd' },
    grantType: 'authorization_code',
    grantId: 'g',
    nonce: null,
    sid: null
  }
  for (const [client, ttl] of [[registered(), 600], [registered({ id: 'other', accessTokenTtl: 30 }), 30]] as const) {
    const { access_token: token, ...answer } = await tokens.issue({ client, ...what }, now, null)
    t.strictSame(answer, { token_type: 'Bearer', expires_in: ttl, scope: 'a b' })
    t.has(decodeJwt(token), { iss: issuer, client_id: client.id, exp: iat + ttl, grant_id: 'g', gty: 'authorization_code', sub: 'ann' })
    t.match(decodeJwt(token).jti, /^[0-9a-f-]{36}$/)
    t.strictSame(tokens.end(client, now), new Date(now.getTime() + ttl * 1_000))
  }
  t.strictSame(tokens.idleEnd(now), new Date(now.getTime() + 1_000_000))
  t.strictSame(tokens.familyEnd(now), new Date(now.getTime() + 5_000_000))
  const short = createTokenIssuer({ ...parts, keys, idTokens, refreshTokenTtl: 500, refreshTokenIdleTtl: 1_000 })
  t.strictSame(short.idleEnd(now), new Date(now.getTime() + 500_000))
})

t.test('a token is read if this server made it as an access token and it has not ended', async t => {
  const keys = await open(t)
  const token = mintAccessToken(keys, content, now, 600)
  const readAccessToken = createReadAccessToken({ keys, issuer })
  const read = async (token: string, time = now) => (await readAccessToken(token, time))?.claims ?? null
  t.match(await read(token), { sub: 'ann', jti: 'j' })
  t.match(await read(token, later(599)), { jti: 'j' })
  for (const time of [later(600), later(6_000)]) t.equal(await read(token, time), null)
  const foreign = mintAccessToken(await open(t), content, now, 600)
  const rows = [
    '',
    'a.b.c',
    `${token}x`,
    foreign,
    mintAccessToken(keys, { ...content, issuer: 'https://other.example' }, now, 600),
    keys.sign(decodeJwt(token), 'JWT')
  ]
  for (const bad of rows) t.equal(await read(bad), null, bad.slice(0, 20))
  await t.rejects(createReadAccessToken({ keys: { jwks () { throw new TypeError('a bug') } }, issuer })(token, now), { message: 'a bug' })
})
