import { REVOCATIONS_PATH } from '@frontdesk/schemas/revocations'
import { pathOf } from '@frontdesk/service-kit/path'
import { addVary, allowOrigin, allowRequest, isPreflight } from '@frontdesk/service-kit/plugins/cors'
import fp from 'fastify-plugin'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { METADATA_PATH, OPENID_CONFIGURATION_PATH } from '../oauth/well-known.js'
import type { Clients } from '../stores/clients/clients.js'

interface CorsOptions {
  clients: Pick<Clients, 'hasOrigin'>
  /** The issuer's path, without a trailing slash. */
  basePath: string
  /** Path of the console. Neither it nor any path below it allows CORS. */
  adminPath: string
  /** Whether clients can register themselves. */
  hasRegistration: boolean
}

/** Endpoints that pages can call from the origin of a registered callback, and their methods. */
const ENDPOINTS = {
  '/token': 'POST',
  '/revoke': 'POST',
  '/par': 'POST',
  '/device_authorization': 'POST',
  '/userinfo': 'GET, POST',
  '/directory': 'POST'
}

/** Documents that any page can read. */
const DOCUMENTS = [METADATA_PATH, OPENID_CONFIGURATION_PATH, '/.well-known/jwks.json', REVOCATIONS_PATH, '/openapi.json']

/** Response headers that pages can read. */
const EXPOSED = 'WWW-Authenticate, X-Request-Id, Retry-After, Deprecation, Link, DPoP-Nonce'

/**
 * CORS for the client endpoints, the public documents and unknown paths, including error responses, which pages could not read
 * otherwise. Not for the pages of this server. Without credentials, since these routes use no cookies.
 */
export default fp<CorsOptions>(async function cors (fastify, { clients, basePath, adminPath, hasRegistration }) {
  const called = new Map(Object.entries(ENDPOINTS).map(([path, methods]) => [basePath + path, methods]))
  const registration = hasRegistration ? `${basePath}/register` : undefined
  const open = new Set([...DOCUMENTS.map(path => basePath + path), METADATA_PATH + basePath, OPENID_CONFIGURATION_PATH + basePath])

  // Before any hook that can refuse a request.
  fastify.addHook('onRequest', async (request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    if (registration !== undefined && (path === registration || path.startsWith(`${registration}/`))) {
      // From any origin: a client that registers itself has none yet.
      allowOrigin(reply, '*', EXPOSED)
      return answerPreflight(request, reply, path === registration ? 'POST' : 'GET, PUT, DELETE')
    }
    if (called.has(path)) await allowClients(request, reply)
    else if (open.has(path) || isUnknown(request)) allowOrigin(reply, '*', EXPOSED)
    if (open.has(path) || isUnknown(request)) return answerPreflight(request, reply, 'GET')
  })

  for (const [path, methods] of called) {
    fastify.options(path, { schema: { hide: true } }, async (request, reply) => {
      if (isPreflight(request) && reply.hasHeader('access-control-allow-origin')) allowRequest(request, reply, methods)
      return reply.code(204).headers({ allow: `${methods}, OPTIONS`, 'cache-control': 'no-store' }).send()
    })
  }

  async function allowClients ({ headers: { origin } }: FastifyRequest, reply: FastifyReply) {
    addVary(reply, 'Origin')
    if (origin === undefined) return
    try {
      if (await clients.hasOrigin(origin)) allowOrigin(reply, origin, EXPOSED)
    } catch (error) {
      // Only the error response follows, which any page can read.
      allowOrigin(reply.header('cache-control', 'no-store'), origin, EXPOSED)
      throw error
    }
  }

  /** Whether no route has the path, with any method, and it is not below the console. */
  function isUnknown ({ is404, url }: FastifyRequest) {
    return is404 && !`${pathOf(url)}/`.startsWith(`${adminPath}/`) && fastify.routeAt(url) === undefined
  }
}, { name: 'cors', fastify: '5.x', dependencies: ['allowed-methods'] })

function answerPreflight (request: FastifyRequest, reply: FastifyReply, methods: string) {
  if (!isPreflight(request)) return
  allowRequest(request, reply, methods)
  return reply.code(204).send()
}
