import Fastify from 'fastify'
import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto'
import { checkProof } from './proof-check.js'

// The token endpoints and the signed-in code flow, hand-written for speed: one client, one user, in memory, ES256.
const { CLIENT, DEVICES, SECRET, CALLBACK, SCOPE, AUDIENCE, PORT } = process.env
const issuer = 'https://auth.example'
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const { privateKey: idTokenKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const idTokenHeader = Buffer.from('{"alg":"RS256","typ":"JWT","kid":"two"}').toString('base64url')
const header = Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: 'one' })).toString('base64url')
const digest = text => createHash('sha256').update(text).digest('base64url')
const secretHash = digest(SECRET)
const [codes, refreshTokens, issued, revoked, pushed] = [new Map(), new Map(), new Map(), new Set(), new Map()]
const devices = new Set(DEVICES.split(','))
/** The same entries by the device's code and the user's. */
const [deviceCodes, userCodes] = [new Map(), new Map()]

const fastify = Fastify()
fastify.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, body, done) => {
  done(null, new URLSearchParams(body))
})

fastify.get('/authorize', (request, reply) => {
  const { client_id: client, redirect_uri: callback, code_challenge: challenge, state, scope } = request.query
  if (client !== CLIENT || callback !== CALLBACK || request.headers.cookie !== 'session=one') return reply.code(400).send('Bad request')
  const code = randomBytes(32).toString('base64url')
  codes.set(digest(code), { challenge, callback, isOpenid: scope.startsWith('openid ') })
  return reply.redirect(`${CALLBACK}?${new URLSearchParams({ code, state, iss: issuer })}`, 303)
})

fastify.register(async fastify => {
  fastify.addHook('preHandler', (request, reply, done) => {
    const [id, secret] = Buffer.from((request.headers.authorization ?? '').slice('Basic '.length), 'base64').toString().split(':')
    if ((id === CLIENT && digest(secret) === secretHash) || devices.has(request.body.get('client_id'))) return done()
    reply.code(401).send({ error: 'invalid_client' })
  })
  fastify.post('/token', (request, reply) => {
    const { body } = request
    const jkt = request.headers.dpop === undefined ? undefined : checkProof(request)
    switch (body.get('grant_type')) {
      case 'client_credentials': return mint(CLIENT, jkt)
      case 'authorization_code': {
        const key = digest(body.get('code'))
        const code = codes.get(key)
        codes.delete(key)
        if (code?.challenge !== digest(body.get('code_verifier')) || code.callback !== body.get('redirect_uri')) break
        return code.isOpenid ? withIdToken(withRefreshToken(jkt)) : withRefreshToken(jkt)
      }
      case 'refresh_token':
        if (refreshTokens.delete(digest(body.get('refresh_token')))) return withRefreshToken()
        break
      case 'urn:ietf:params:oauth:grant-type:device_code': {
        const key = digest(body.get('device_code'))
        const device = deviceCodes.get(key)
        if (device?.isAllowed !== true || device.client !== body.get('client_id')) break
        deviceCodes.delete(key)
        return mint('person')
      }
    }
    return reply.code(400).send({ error: 'invalid_grant' })
  })
  fastify.post('/device_authorization', ({ body }) => {
    const [code, userCode] = [randomBytes(32).toString('base64url'), randomBytes(6).toString('base64url')]
    const device = { client: body.get('client_id'), isAllowed: false }
    deviceCodes.set(digest(code), device)
    userCodes.set(userCode, device)
    return { device_code: code, user_code: userCode, verification_uri: `${issuer}/device`, expires_in: 600, interval: 5 }
  })
  fastify.post('/par', ({ body }, reply) => {
    const reference = `urn:ietf:params:oauth:request_uri:${randomBytes(32).toString('base64url')}`
    // Bounded, as rows that expire are.
    if (pushed.size < 10_000) pushed.set(reference, body)
    return reply.code(201).send({ request_uri: reference, expires_in: 300 })
  })
  fastify.post('/introspect', ({ body }) => {
    const claims = issued.get(digest(body.get('token')))
    if (claims === undefined || claims.exp < Date.now() / 1000 || revoked.has(claims.jti)) return { active: false }
    return { active: true, ...claims }
  })
  fastify.post('/revoke', ({ body }) => {
    revoked.add(issued.get(digest(body.get('token')))?.jti)
    return {}
  })
})

const devicePage = (userCode = '') => `<form method="post">
<input type="hidden" name="transaction" value="one"><input name="user_code" value="${userCode}"></form>`

fastify.get('/device', (request, reply) => reply.type('text/html').send(devicePage()))

fastify.post('/device', ({ body, headers }, reply) => {
  const userCode = body.get('user_code')
  const device = userCodes.get(userCode)
  if (device === undefined || headers.cookie !== 'session=one') return reply.code(400).send('Bad request')
  if (body.get('decision') === 'continue') return reply.type('text/html').send(devicePage(userCode))
  device.isAllowed = true
  userCodes.delete(userCode)
  return reply.redirect('/device', 303)
})

fastify.get('/userinfo', ({ headers: { authorization = '' } }, reply) => {
  const claims = issued.get(digest(authorization.slice('Bearer '.length)))
  const isLive = claims !== undefined && claims.exp >= Date.now() / 1000 && !revoked.has(claims.jti)
  if (!isLive) return reply.code(401).send({ error: 'invalid_token' })
  return { sub: claims.sub, preferred_username: 'erika' }
})

function withIdToken (tokens) {
  const iat = Math.floor(Date.now() / 1000)
  const claims = { iss: issuer, sub: 'person', aud: CLIENT, iat, exp: iat + 600, auth_time: iat, amr: ['pwd'] }
  const input = `${idTokenHeader}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return { ...tokens, id_token: `${input}.${sign('sha256', Buffer.from(input), idTokenKey).toString('base64url')}` }
}

function withRefreshToken (jkt) {
  const token = randomBytes(32).toString('base64url')
  refreshTokens.set(digest(token), true)
  return { ...mint('person', jkt), refresh_token: token }
}

function mint (sub, jkt) {
  const iat = Math.floor(Date.now() / 1000)
  const claims = { iss: issuer, sub, aud: AUDIENCE, client_id: CLIENT, scope: SCOPE, iat, exp: iat + 600, jti: randomUUID() }
  if (jkt !== undefined) claims.cnf = { jkt }
  const input = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  const token = `${input}.${sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
  // Bounded, as a cache is.
  if (issued.size < 10_000) issued.set(digest(token), claims)
  return { access_token: token, token_type: jkt === undefined ? 'Bearer' : 'DPoP', expires_in: 600, scope: SCOPE }
}

await fastify.listen({ port: Number(PORT), host: '127.0.0.1' })
