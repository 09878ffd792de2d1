import { createHmac, sign, type KeyObject } from 'node:crypto'

/** A token that a resource server must reject. */
export interface BadToken {
  /** What is wrong with it. */
  readonly name: string
  readonly token: string
  /** Whether JWT libraries accept it by default: customer-service rejects it, other APIs need not. */
  readonly strict: boolean
}

/** A key pair with its public JWK. */
export interface KeyPair {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly publicJwk: object
}

type Members = Record<string, unknown>

const HOSTILE_KIDS = ["' OR 1=1 --", '../../etc/passwd', '__proto__', '\u0000', '', 'x'.repeat(2000)]

/**
 * Makes bad variants of a good access token (RFC 8725, RFC 9068 §4).
 * @param key signs the good token
 * @param stranger another key of the same type
 * @param now a time at which the good token is valid; the resource server's leeway is at most 60 seconds
 * @param soon how many seconds ahead the tokens are that are not valid yet
 */
export function makeBadTokens (token: string, { key, stranger }: { key: KeyPair, stranger: KeyPair }, now: Date, soon = 600): BadToken[] {
  const [h, c, signature] = token.split('.') as [string, string, string] // as: a JWT has three parts.
  const [header, claims] = [h, c].map(part => Buffer.from(part, 'base64url').toString()) as [string, string] // as: of two parts.
  // as: both are objects, as auth-server makes them.
  const [head, body] = [JSON.parse(header), JSON.parse(claims)] as [Members & { alg: string }, Members & { iss: string, aud: string }]
  const seconds = Math.floor(now.getTime() / 1_000)
  const withHeader = (changes: Members) => signTexts(JSON.stringify({ ...head, ...changes }), claims, key.privateKey)
  const withClaims = (changes: Members) => signTexts(header, JSON.stringify({ ...body, ...changes }), key.privateKey)
  const withHeaderText = (text: string) => signTexts(text, claims, key.privateKey)
  const withClaimsText = (text: string) => signTexts(header, text, key.privateKey)
  const foreign = (changes: Members) => signTexts(JSON.stringify({ ...head, ...changes }), claims, stranger.privateKey)
  const hmac = (secret: string) => {
    const data = `${encode({ ...head, alg: 'HS256' })}.${c}`
    return `${data}.${createHmac('sha256', secret).update(data).digest('base64url')}`
  }
  const without = (...names: string[]) => each(names, name => [`no ${name}`, withClaims({ [name]: undefined })])

  const always: Record<string, string> = {
    ...each(['none', 'None', 'NONE', 'nOnE', ''], alg => [`alg ${alg}, no signature`, `${encode({ ...head, alg })}.${c}.`]),
    'alg of another key type': withHeader({ alg: head.alg === 'ES256' ? 'RS256' : 'ES256' }),
    'HMAC with the public key': hmac(JSON.stringify(key.publicJwk)),
    'HMAC with the public key as PEM': hmac(String(key.publicKey.export({ type: 'spki', format: 'pem' }))),
    'HMAC with nothing': hmac(''),
    'kid of no key': withHeader({ kid: 'nobody' }),
    ...each(HOSTILE_KIDS, kid => [`hostile kid ${JSON.stringify(kid.slice(0, 20))}`, withHeader({ kid })]),
    'another key under the same kid': foreign({}),
    'a key in the header': foreign({ jwk: stranger.publicJwk, kid: 'stranger' }),
    'a key in the header, under the kid of ours': foreign({ jwk: stranger.publicJwk }),
    'the address of a key in the header': foreign({ jku: 'https://evil.example/jwks.json', kid: 'stranger' }),
    'the address of a certificate in the header': foreign({ x5u: 'https://evil.example/cert.pem' }),
    'a certificate in the header': foreign({ x5c: ['AAAA'] }),
    'no typ': withHeader({ typ: undefined }),
    'typ JWT': withHeader({ typ: 'JWT' }),
    'typ of an id token': withHeader({ typ: 'id_token+jwt' }),
    'unknown crit': withHeader({ crit: ['x'], x: 1 }),
    'crit of a registered name': withHeader({ crit: ['alg'] }),
    'another issuer': withClaims({ iss: 'https://other.example' }),
    'an issuer with a slash more': withClaims({ iss: `${body.iss}/` }),
    'an issuer in other case': withClaims({ iss: body.iss.toUpperCase() }),
    'another audience': withClaims({ aud: 'https://other.example' }),
    'an audience with a slash more': withClaims({ aud: `${body.aud}/` }),
    'a list of audiences without us': withClaims({ aud: ['https://other.example', `${body.aud}/x`] }),
    'an empty list of audiences': withClaims({ aud: [] }),
    ...without('iss', 'aud'),
    'ended 61 s ago': withClaims({ exp: seconds - 61 }),
    'ended ten minutes ago': withClaims({ exp: seconds - 600 }),
    [`valid in ${soon} s`]: withClaims({ nbf: seconds + soon }),
    'exp as text': withClaims({ exp: `${seconds + 600}` }),
    'other claims under the signature': `${h}.${encode({ ...body, sub: 'root' })}.${signature}`,
    'an empty signature': `${h}.${c}.`,
    'a signature cut short': token.slice(0, -4),
    'two parts': `${h}.${c}`,
    'four parts': `${token}.x`,
    'five parts, as a JWE': `${encode({ alg: 'dir', enc: 'A256GCM' })}..${c}.${c}.${c}`,
    'what is not base64url': `${h}.${c}=.${signature}`,
    'no JSON': withHeaderText('{'),
    'no object': withClaimsText('null')
  }
  const strictly: Record<string, string> = {
    'no kid': withHeader({ kid: undefined }),
    'kid as a number': withHeader({ kid: 1 }),
    ...without('sub', 'client_id', 'iat', 'exp', 'jti'),
    [`issued in ${soon} s`]: withClaims({ iat: seconds + soon }),
    'scope as a list': withClaims({ scope: ['customer:read'] }),
    'aud twice': withClaimsText(claims.replace('{', '{"aud":"https://other.example",')),
    'scope twice, once escaped': withClaimsText(claims.replace('{', '{"sc\\u006fpe":"customer:delete",')),
    'sub twice, with blanks': withClaimsText(claims.replace('{', '{ "sub" : "root" , ')),
    'a member of a member twice': withClaimsText(claims.replace('{', '{"x":[{"a":1,"a":2}],')),
    'alg twice': withHeaderText(header.replace('{', '{"alg":"none",'))
  }
  const list = (tokens: Record<string, string>, strict: boolean) => Object.entries(tokens).map(([name, token]) => ({ name, token, strict }))
  return [...list(always, false), ...list(strictly, true)]
}

/** A compact JWS of exactly these texts, valid or not (RFC 7515 §7.1): ES256 with an EC key, RS256 with an RSA key, else EdDSA. */
function signTexts (header: string, payload: string, key: KeyObject): string {
  const data = [header, payload].map(text => Buffer.from(text).toString('base64url')).join('.')
  const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  return `${data}.${sign(digest, Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

function encode (value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function each (names: readonly string[], make: (name: string) => [string, string]): Record<string, string> {
  return Object.fromEntries(names.map(make))
}
