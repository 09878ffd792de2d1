import { createHmac } from 'node:crypto'
import type { mintAccessToken } from '../../packages/auth-server/src/tokens/access-token.js'
import { load } from '../load.js'
import { ringOf, signTexts, testKey } from './signer.js'

/** A token and what a resource server has to make of it. */
export interface Vector { name: string, token: string, accepted: boolean }

/** Tokens, and what they are checked against. */
export interface Vectors { about: string, now: string, issuer: string, audience: string, jwks: object, vectors: Vector[] }

const NOW = new Date('2030-01-01T00:00:00Z')
const ISSUER = 'https://id.example'
const AUDIENCE = 'https://customers.example'
const SECONDS = NOW.getTime() / 1000

type Members = Record<string, unknown>

/** Makes the good ones with auth-server's own signer, and the bad ones from them. */
export async function makeVectors (): Promise<Vectors> {
  const key = testKey('signer')
  const stranger = testKey('stranger')
  const ring = await ringOf(key, NOW)
  const { mintAccessToken: mint } = await load<{ mintAccessToken: typeof mintAccessToken }>('auth-server', 'tokens/access-token.js')
  const content = {
    issuer: ISSUER,
    subject: '6f1c2c0e-0000-4000-8000-000000000001',
    audience: AUDIENCE,
    clientId: 'demo-app',
    scope: ['customer:read', 'customer:write'],
    authTime: new Date(NOW.getTime() - 60_000),
    grantType: 'authorization_code',
    jti: '6f1c2c0e-0000-4000-8000-000000000002',
    grantId: '6f1c2c0e-0000-4000-8000-000000000003'
  }
  const good = {
    'as auth-server makes it': await mint(ring, content, NOW, 600),
    'without a scope': await mint(ring, { ...content, scope: [] }, NOW, 600),
    'made by a server whose clock is 30 s ahead': await mint(ring, content, new Date(NOW.getTime() + 30_000), 600),
    'ended 30 s ago, within the leeway': await mint(ring, content, new Date(NOW.getTime() - 630_000), 600)
  }

  const token = good['as auth-server makes it']
  const [header, claims] = token.split('.', 2).map(part => Buffer.from(part, 'base64url').toString()) as [string, string]
  const [h, c, signature] = token.split('.') as [string, string, string]
  // as: both are objects, as auth-server makes them.
  const [head, body] = [JSON.parse(header), JSON.parse(claims)] as [Members, Members]
  const withHeader = (changes: Members) => signTexts(JSON.stringify({ ...head, ...changes }), claims, key.privateKey)
  const withClaims = (changes: Members) => signTexts(header, JSON.stringify({ ...body, ...changes }), key.privateKey)
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const foreign = (changes: Members) => signTexts(JSON.stringify({ ...head, ...changes }), claims, stranger.privateKey)

  const hmac = (secret: string) => {
    const data = `${encode({ ...head, alg: 'HS256' })}.${c}`
    return `${data}.${createHmac('sha256', secret).update(data).digest('base64url')}`
  }

  const bad: Record<string, string> = {
    ...Object.fromEntries(['none', 'None', 'NONE'].map(alg => [`alg ${alg}, no signature`, `${encode({ ...head, alg })}.${c}.`])),
    'alg of another key type': withHeader({ alg: 'ES256' }),
    'HMAC with the public key': hmac(JSON.stringify(key.publicJwk)),
    'HMAC with nothing': hmac(''),
    'kid of no key': withHeader({ kid: 'nobody' }),
    'no kid': withHeader({ kid: undefined }),
    'another key under the same kid': foreign({}),
    'a key in the header': foreign({ jwk: stranger.publicJwk, kid: 'stranger' }),
    'the address of a key in the header': foreign({ jku: 'https://evil.example/jwks.json', kid: 'stranger' }),
    'the address of a certificate in the header': foreign({ x5u: 'https://evil.example/cert.pem' }),
    'a certificate in the header': foreign({ x5c: ['AAAA'] }),
    'no typ': withHeader({ typ: undefined }),
    'typ JWT': withHeader({ typ: 'JWT' }),
    'typ of an id token': withHeader({ typ: 'id_token+jwt' }),
    'unknown crit': withHeader({ crit: ['x'], x: 1 }),
    'another issuer': withClaims({ iss: 'https://other.example' }),
    'an issuer with a slash more': withClaims({ iss: `${ISSUER}/` }),
    'an issuer in other case': withClaims({ iss: ISSUER.toUpperCase() }),
    'another audience': withClaims({ aud: 'https://other.example' }),
    'a list of audiences without us': withClaims({ aud: ['https://other.example', `${AUDIENCE}/x`] }),
    ...Object.fromEntries(
      ['iss', 'sub', 'aud', 'client_id', 'iat', 'exp', 'jti'].map(name => [`no ${name}`, withClaims({ [name]: undefined })])
    ),
    'ended 61 s ago': withClaims({ exp: SECONDS - 61 }),
    'valid in 61 s': withClaims({ nbf: SECONDS + 61 }),
    'issued in 61 s': withClaims({ iat: SECONDS + 61 }),
    'exp as text': withClaims({ exp: `${SECONDS + 600}` }),
    'scope as a list': withClaims({ scope: ['customer:read'] }),
    'aud twice': signTexts(header, claims.replace('{', '{"aud":"https://other.example",'), key.privateKey),
    'scope twice, once escaped': signTexts(header, claims.replace('{', '{"sc\\u006fpe":"customer:delete",'), key.privateKey),
    'alg twice': signTexts(header.replace('{', '{"alg":"none",'), claims, key.privateKey),
    'other claims under the signature': `${h}.${encode({ ...body, sub: 'root' })}.${signature}`,
    'an empty signature': `${h}.${c}.`,
    'a signature cut short': token.slice(0, -4),
    'two parts': `${h}.${c}`,
    'four parts': `${token}.x`,
    'five parts, as a JWE': `${encode({ alg: 'dir', enc: 'A256GCM' })}..${c}.${c}.${c}`,
    'what is not base64url': `${h}.${c}=.${signature}`,
    'no JSON': signTexts('{', claims, key.privateKey),
    'no object': signTexts(header, 'null', key.privateKey)
  }

  const list = (tokens: Record<string, string>, accepted: boolean) =>
    Object.entries(tokens).map(([name, token]) => ({ name, token, accepted }))
  return {
    about:
      'Access tokens that a resource server has to accept or refuse at the time `now`. The key is made from a text that everybody knows.',
    now: NOW.toISOString(),
    issuer: ISSUER,
    audience: AUDIENCE,
    jwks: ring.jwks(),
    vectors: [...list(good, true), ...list(bad, false)]
  }
}
