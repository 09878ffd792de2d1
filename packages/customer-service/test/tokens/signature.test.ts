import { exportSPKI, type JWK } from 'jose'
import { createHmac } from 'node:crypto'
import t from 'tap'
import { PATH, buildOnce } from '../helper.js'
import { makeKey } from '../issuer.js'

const b64 = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const invalid = 'error="invalid_token"'

t.test('signatures that do not count: 401 invalid_token', async t => {
  const { send, issuer } = await buildOnce(t)
  const claims = JSON.parse(Buffer.from((await issuer.mint()).split('.')[1] ?? '', 'base64url').toString())
  const { jwk } = issuer.key
  const stranger = await makeKey(jwk.kid)
  const rsa = await makeKey(jwk.kid, 'RS256')
  const pem = await exportSPKI(issuer.key.publicKey)
  const unsigned = (alg: string) => `${b64({ alg, kid: jwk.kid, typ: 'at+jwt' })}.${b64(claims)}.`
  const hmac = (secret: string, alg = 'HS256') => {
    const text = `${b64({ alg, kid: jwk.kid, typ: 'at+jwt' })}.${b64(claims)}`
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  }
  const foreign = async (header: Record<string, unknown>) => await issuer.mint({ key: stranger, header })
  const evil = { ...stranger.jwk, kid: 'evil' } as JWK
  const table: Array<[name: string, token: string]> = [
    ...['none', 'None', 'NONE', 'nOnE', ''].map((alg): [string, string] => [`alg ${alg}`, unsigned(alg)]),
    ['HMAC with the public key as PEM', hmac(pem)],
    ['HMAC with the public key as JWK', hmac(JSON.stringify(jwk))],
    ['an empty HMAC secret', hmac('')],
    ['another key under the same kid', await foreign({})],
    ['key type not matching alg', await issuer.mint({ key: rsa })],
    ['alg of another curve', unsigned('ES384') + 'AAAA'],
    ['an empty signature', unsigned('ES256')],
    ['a key in the header', await foreign({ jwk: evil })],
    ['a key in the header, with its kid', await foreign({ jwk: evil, kid: 'evil' })],
    ['a remote key in the header', await foreign({ jku: `${issuer.url}/evil`, kid: 'evil' })],
    ['a certificate in the header', await foreign({ x5c: ['AAAA'], x5u: `${issuer.url}/evil` })],
    ['unknown crit', `${b64({ alg: 'ES256', kid: jwk.kid, typ: 'at+jwt', crit: ['x'], x: 1 })}.${b64(claims)}.AAAA`],
    ['another payload', (await issuer.mint()).replace(/\.[^.]+\./, `.${b64({ ...claims, sub: 'root' })}.`)]
  ]
  const before = issuer.state.fetches
  for (const [name, token] of table) {
    const answer = await send('GET', `${PATH}/1`, { token })
    t.equal(answer.statusCode, 401, name)
    t.match(answer.headers['www-authenticate'], invalid, name)
  }
  t.ok(issuer.state.fetches - before <= 1, 'one fetch for an unknown kid, none for what the header names')
})

t.test('crit that is signed but unknown, and claims that are there twice: 401 invalid_token', async t => {
  const { send, issuer } = await buildOnce(t)
  const { privateKey, jwk } = issuer.key
  const header = { alg: 'ES256', kid: jwk.kid, typ: 'at+jwt' }
  const claims = JSON.parse(Buffer.from((await issuer.mint()).split('.')[1] ?? '', 'base64url').toString())
  const sign = async (head: string, payload: string) => {
    const data = `${b64(head)}.${b64(payload)}`
    const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, Buffer.from(data))
    return `${data}.${Buffer.from(signature).toString('base64url')}`
  }
  const head = JSON.stringify(header)
  const body = JSON.stringify(claims)
  t.equal((await send('GET', `${PATH}/1`, { token: await sign(head, body) })).statusCode, 404, 'the same, written by hand')
  const table: Array<[name: string, head: string, payload: string]> = [
    ['unknown crit', JSON.stringify({ ...header, crit: ['x'], x: 1 }), body],
    ['crit of a registered name', JSON.stringify({ ...header, crit: ['alg'] }), body],
    ['aud twice', head, body.replace('{', '{"aud":"http://localhost:3003",')],
    ['scope twice, once escaped', head, body.replace('{', '{"sc\\u006fpe":"customer:read",')],
    ['sub twice, with blanks', head, body.replace('{', '{ "sub" : "root" , ')],
    ['a member of a member twice', head, body.replace('{', '{"x":[{"a":1,"a":2}],')],
    ['alg twice', head.replace('{', '{"alg":"none",'), body]
  ]
  for (const [name, head, payload] of table) {
    t.equal((await send('GET', `${PATH}/1`, { token: await sign(head, payload) })).statusCode, 401, name)
  }
})

t.test('only the algorithms in SIGNING_ALGS count', async t => {
  const { send, issuer, keys } = await buildOnce(t, { SIGNING_ALGS: 'RS256' })
  const rsa = await makeKey('rsa', 'RS256')
  issuer.state.keys.push(rsa.jwk)
  await keys?.start()
  t.equal((await send('GET', `${PATH}/1`, { token: await issuer.mint({ key: rsa }) })).statusCode, 404)
  t.equal((await send('GET', `${PATH}/1`, { token: await issuer.mint() })).statusCode, 401)
})

t.test('RS256 and EdDSA are accepted by default', async t => {
  const { send, issuer, keys } = await buildOnce(t)
  for (const alg of ['RS256', 'EdDSA']) {
    const key = await makeKey(alg, alg)
    issuer.state.keys.push(key.jwk)
    await keys?.start()
    t.equal((await send('GET', `${PATH}/1`, { token: await issuer.mint({ key }) })).statusCode, 404, alg)
  }
})
