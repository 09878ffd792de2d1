import { DPOP_ALGS } from '@frontdesk/service-kit/dpop/proof'
import t from 'tap'
import { PATH, buildOnce } from '../support/helper.js'
import type { Mint } from '../support/issuer.js'

const now = () => Math.floor(Date.now() / 1000)
const invalid =
  /^Bearer realm="customer-service", resource_metadata="http:\/\/localhost:3001\/\.well-known\/oauth-protected-resource", error="invalid_token"/
const b64 = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

t.test('no token: 401, and challenges for both schemes name the scope, without an error (RFC 6750 §3, RFC 9449 §7.1)', async t => {
  const { send } = await buildOnce(t)
  const parts = 'realm="customer-service", resource_metadata="http://localhost:3001/.well-known/oauth-protected-resource", scope="customer:read"'
  const challenge = `Bearer ${parts}, DPoP ${parts}, algs="${DPOP_ALGS.join(' ')}"`
  const table: Array<Record<string, string>> = [
    {},
    { authorization: 'Basic ZGVtbzpkZW1v' },
    { authorization: 'BearerX y' },
    { authorization: '' },
    { 'x-access-token': 'a' }
  ]
  for (const headers of table) {
    const answer = await send('GET', `${PATH}/1`, { token: null, headers })
    t.equal(answer.statusCode, 401, JSON.stringify(headers))
    t.equal(answer.headers['www-authenticate'], challenge)
  }
  const { headers } = await send('DELETE', `${PATH}/1`, { token: 'not-a-token' })
  t.match(headers['www-authenticate'], /^Bearer [^]*error="invalid_token"[^]*scope="customer:delete", DPoP (?![^]*error=)[^]*scope="customer:delete"/)
})

t.test('a token in the query or in the form is not accepted: 401', async t => {
  const { send, everything } = await buildOnce(t)
  t.equal((await send('GET', `${PATH}/1?access_token=${everything}`, { token: null })).statusCode, 401)
  const form = { access_token: everything, customername: 'a', customeraddress: 'b' }
  t.equal((await send('PUT', PATH, { token: null, form })).statusCode, 401)
})

t.test('a malformed Authorization header or token: 401 invalid_token', async t => {
  const { send, everything } = await buildOnce(t)
  const [header, payload, signature] = everything.split('.')
  const values = [
    'Bearer',
    'Bearer ',
    'Bearer a',
    'Bearer a.b',
    'Bearer a.b.c',
    'Bearer ..',
    `Bearer ${everything} x`,
    `Bearer ${everything},x`,
    `Bearer "${everything}"`,
    `Bearer\t${everything}`,
    `Bearer ${everything}=`,
    `Bearer ${header}.${payload}.`,
    `Bearer ${header}.${payload}`,
    `Bearer ${header}.${payload}.${signature}.x`,
    `Bearer ${b64('{')}.${payload}.${signature}`,
    `Bearer ${b64('null')}.${payload}.${signature}`,
    `Bearer ${'a'.repeat(9216)}`
  ]
  for (const authorization of values) {
    const answer = await send('GET', `${PATH}/1`, { token: null, headers: { authorization } })
    t.equal(answer.statusCode, 401, authorization.slice(0, 40))
    t.match(answer.headers['www-authenticate'], invalid, authorization.slice(0, 40))
  }
  for (const scheme of ['bearer', 'BEARER', 'Bearer  ']) {
    t.equal(
      (await send('GET', `${PATH}/1`, { token: null, headers: { authorization: `${scheme} ${everything}` } })).statusCode,
      404,
      scheme
    )
  }
})

t.test('30 s of clock difference is accepted; an audience list with us, and application/at+jwt', async t => {
  const { send, issuer } = await buildOnce(t)
  const table: Mint[] = [
    { claims: { exp: now() - 30 } },
    { claims: { nbf: now() + 30 } },
    { claims: { iat: now() + 30 } },
    { claims: { aud: ['http://localhost:3003', issuer.audience] } },
    { header: { typ: 'application/at+jwt' } },
    { header: { typ: 'AT+JWT' } }
  ]
  for (const right of table) {
    t.equal((await send('GET', `${PATH}/1`, { token: await issuer.mint(right) })).statusCode, 404, JSON.stringify(right))
  }
})

t.test('scope lacking: 403 insufficient_scope with the scope; HEAD as GET', async t => {
  const { send, register, issuer } = await buildOnce(t)
  await register(1)
  const move = { customername: 'charitha', customeraddress: 'colombo' }
  const needs: Array<[method: string, path: string, scope: string, form?: object]> = [
    ['GET', `${PATH}/1`, 'customer:read'], ['HEAD', `${PATH}/1`, 'customer:read'],
    ['PUT', PATH, 'customer:write', move], ['POST', PATH, 'customer:write', { ...move, customerid: 2, customerage: 1 }],
    ['DELETE', `${PATH}/1`, 'customer:delete']
  ]
  const scopes = ['customer:read', 'customer:write', 'customer:delete']
  for (const [method, path, scope, form] of needs) {
    const request = form === undefined ? {} : { form: form as Record<string, string> }
    const others = [...scopes.filter(other => other !== scope), `${scope}s`, scope.toUpperCase(), 'customer', `x${scope}`].join(' ')
    for (const claims of [{ scope: others }, { scope: '' }, { scope: undefined }]) {
      const answer = await send(method, path, { ...request, token: await issuer.mint({ claims }) })
      t.equal(answer.statusCode, 403, `${method} with ${claims.scope}`)
      t.match(
        answer.headers['www-authenticate'],
        `error="insufficient_scope", error_description="The access token is missing a scope", scope="${scope}"`
      )
    }
    const answer = await send(method, path, { ...request, token: await issuer.mint({ claims: { scope: `openid ${scope}` } }) })
    t.ok(answer.statusCode < 300, `${method} with ${scope}`)
  }
})

t.test('AUTH=none lets everybody in, and shows candidates to all', async t => {
  const { send } = await buildOnce(t, { AUTH: 'none' })
  for (const customerid of [1, 2]) {
    t.equal(
      (await send('POST', PATH, { token: null, form: { customerid, customername: 'a', customerage: 1, customeraddress: 'b' } })).statusCode,
      201
    )
  }
  t.equal((await send('GET', `${PATH}/1`, { token: null })).body, 'a')
  t.equal((await send('PUT', PATH, { token: null, form: { customername: 'a', customeraddress: 'c' } })).json().candidates.length, 2)
  t.equal((await send('DELETE', `${PATH}/1`, { token: 'nonsense' })).statusCode, 204)
  t.equal((await send('GET', '/health/ready', { token: null })).statusCode, 200)
})
