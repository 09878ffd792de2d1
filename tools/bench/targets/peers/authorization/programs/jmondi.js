import fastifyCookie from '@fastify/cookie'
import fastifyFormbody from '@fastify/formbody'
import { AuthorizationServer, DateInterval, generateRandomToken, JwtService } from '@jmondi/oauth2-server'
import { handleFastifyError, handleFastifyReply, requestFromFastify } from '@jmondi/oauth2-server/fastify'
import Fastify from 'fastify'
import jsonwebtoken from 'jsonwebtoken'
import { AUDIENCE, CALLBACK, CLIENT, PERSON, PORT, privateKey, SCOPE, URL } from './registrations.js'

/** @jmondi/oauth2-server with its adapter of Fastify; the repositories are maps. */
const scopes = SCOPE.split(' ').map(name => ({ name }))
const clients = new Map([[CLIENT, { id: CLIENT, name: 'Shop', redirectUris: [CALLBACK], allowedGrants: ['implicit'], scopes }]])
const tokens = new Map()
const sessions = new Map()

const server = new AuthorizationServer(
  {
    getByIdentifier: async id => clients.get(id),
    isClientValid: async (grant, { allowedGrants }) => allowedGrants.includes(grant)
  },
  {
    issueToken: async (client, granted, user) => ({
      accessToken: generateRandomToken(),
      accessTokenExpiresAt: new DateInterval('1h').getEndDate(),
      client,
      user,
      scopes: granted
    }),
    persist: async token => {
      tokens.set(token.accessToken, token)
    }
  },
  {
    getAllByIdentifiers: async names => scopes.filter(({ name }) => names.includes(name)),
    finalize: async granted => granted
  },
  new (class extends JwtService {
    // Its own signs with a shared secret.
    sign (payload) {
      return new Promise((resolve, reject) => {
        jsonwebtoken.sign(payload, privateKey, { algorithm: 'ES256', keyid: 'one' }, (error, token) =>
          error === null ? resolve(token) : reject(error)
        )
      })
    }

    extraTokenFields = () => ({ aud: AUDIENCE })
  })(''),
  { issuer: URL, implicitRedirectMode: 'fragment' }
)
server.enableGrantType('implicit')

const fastify = Fastify()
await fastify.register(fastifyCookie)
await fastify.register(fastifyFormbody)
fastify.setErrorHandler((error, request, reply) => handleFastifyError(error, reply))

fastify.get('/authorize', async (request, reply) => {
  await server.validateAuthorizationRequest(requestFromFastify(request))
  return reply.redirect(`/consent${request.url.slice(request.url.indexOf('?'))}`)
})
fastify.post('/consent', async (request, reply) => {
  const asked = await server.validateAuthorizationRequest(requestFromFastify(request))
  asked.user = sessions.get(request.cookies.session)
  asked.isAuthorizationApproved = request.body.decision === 'allow'
  handleFastifyReply(reply, await server.completeAuthorizationRequest(asked))
  return reply
})
fastify.post('/sign-in', (request, reply) => {
  const id = generateRandomToken()
  sessions.set(id, { id: PERSON })
  return reply.setCookie('session', id, { httpOnly: true }).send()
})

await fastify.listen({ port: Number(PORT), host: '127.0.0.1' })
