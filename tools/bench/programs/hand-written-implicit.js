import Fastify from 'fastify'
import { generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto'

/** The implicit grant, hand-written for speed: one client, one user, in memory, ES256. */
const { CLIENT, CALLBACK, AUDIENCE, PORT } = process.env
const issuer = 'https://auth.example'
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const header = Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: 'one' })).toString('base64url')
const forms = new Map()
const sessions = new Map()
const grants = []

const fastify = Fastify()
fastify.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, body, done) => {
  done(null, new URLSearchParams(body))
})
const isValid = ({ response_type: type, client_id: client, redirect_uri: callback }) =>
  type === 'token' && client === CLIENT && callback === CALLBACK
const queryOf = ({ url }) => url.slice(url.indexOf('?') + 1)
const sessionOf = request => sessions.get(/session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1])

fastify.get('/authorize', (request, reply) => {
  if (!isValid(request.query)) return reply.code(400).send('Bad request')
  return reply.redirect(`${issuer}/consent?${queryOf(request)}`, 302)
})

fastify.get('/consent', (request, reply) => {
  if (!isValid(request.query)) return reply.code(400).send('Bad request')
  const transaction = randomBytes(16).toString('base64url')
  forms.set(transaction, queryOf(request))
  return reply.type('text/html; charset=utf-8').header('set-cookie', 'transaction=one; HttpOnly').send(`<!doctype html><title>Consent</title>
<form method="post" action="/consent?${queryOf(request).replaceAll('&', '&amp;')}"><input type="hidden" name="transaction" value="${transaction}">
<button name="decision" value="allow">Allow</button></form>`)
})

fastify.get('/account', (request, reply) => {
  const session = sessionOf(request)
  if (session === undefined) return reply.code(400).send('Bad request')
  const transaction = randomBytes(16).toString('base64url')
  forms.set(transaction, 'account')
  return reply.type('text/html; charset=utf-8').send(`<!doctype html><title>Your account</title><h1>${session.sub}</h1>
<form method="post" action="/account"><input type="hidden" name="transaction" value="${transaction}">
<ul><li>Shop, since ${new Date(session.at * 1000).toISOString()} <button name="remove" value="${CLIENT}">Remove</button></ul></form>`)
})

fastify.post('/consent', (request, reply) => {
  const { body, query } = request
  const transaction = body.get('transaction')
  if (!isValid(query) || forms.get(transaction) !== queryOf(request) || body.get('decision') !== 'allow') {
    return reply.code(400).send('Bad request')
  }
  forms.delete(transaction)
  // The limit is what a signed-in person costs: a password is not checked here.
  const session = sessionOf(request) ?? signIn(reply)
  const { access, jti } = mint(session, query.scope)
  grants.push({ jti, transaction, at: Date.now() })
  const fragment = new URLSearchParams({
    access_token: access,
    token_type: 'Bearer',
    expires_in: '600',
    scope: query.scope,
    state: query.state,
    iss: issuer
  })
  return reply.redirect(`${CALLBACK}#${fragment}`, 303)
})

function signIn (reply) {
  const id = randomBytes(32).toString('base64url')
  const session = { sub: 'person', at: Math.floor(Date.now() / 1000) }
  sessions.set(id, session)
  reply.header('set-cookie', `session=${id}; HttpOnly`)
  return session
}

function mint ({ sub, at }, scope) {
  const iat = Math.floor(Date.now() / 1000)
  const jti = randomUUID()
  const claims = { iss: issuer, sub, aud: AUDIENCE, client_id: CLIENT, scope, iat, exp: iat + 600, jti, auth_time: at }
  const input = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return {
    access: `${input}.${sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`,
    jti
  }
}

await fastify.listen({ port: Number(PORT), host: '127.0.0.1' })
