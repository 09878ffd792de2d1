import { REVOCATIONS_PATH } from '@frontdesk/schemas/revocations'
import fp from 'fastify-plugin'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { METADATA_PATH, OPENID_CONFIGURATION_PATH } from '../oauth/well-known.js'
import type { Clients } from '../stores/clients.js'

/** Options of CORS. */
export interface CorsOptions {
  clients: Pick<Clients, 'hasOrigin'>
  /** Path of the issuer, without a slash at its end. */
  basePath: string
  /** Whether apps may register themselves. */
  hasRegistration: boolean
}

/** Endpoints that pages may call from the origin of a registered callback, and how. */
const ENDPOINTS = { '/token': 'POST', '/revoke': 'POST', '/par': 'POST', '/device_authorization': 'POST', '/userinfo': 'GET, POST' }

/** Documents that any page may read. */
const DOCUMENTS = [METADATA_PATH, OPENID_CONFIGURATION_PATH, '/.well-known/jwks.json', REVOCATIONS_PATH, '/openapi.json']

/** Header fields of a preflight response (https://fetch.spec.whatwg.org/#http-cors-protocol). Includes the headers of tracing libraries. */
const PREFLIGHT = {
  'access-control-allow-headers':
    'Authorization, Content-Type, Accept, Cache-Control, DPoP, X-Requested-With, X-Request-Id, traceparent, tracestate, baggage, sentry-trace',
  'access-control-max-age': '600'
}

const METHODS = ['GET', 'POST'] as const

/**
 * CORS for the client endpoints, the public documents and unknown paths, including error responses: without these header
 * fields, a page cannot read them. The pages of this server stay closed. No credentials: these routes use no cookies.
 */
export default fp<CorsOptions>(async function cors (fastify, { clients, basePath, hasRegistration }) {
  const called = new Map(Object.entries(ENDPOINTS).map(([path, methods]) => [basePath + path, methods]))
  const registration = hasRegistration ? `${basePath}/register` : undefined
  const open = new Set([...DOCUMENTS.map(path => basePath + path), METADATA_PATH + basePath, OPENID_CONFIGURATION_PATH + basePath])

  // Before any hook that may refuse a request.
  fastify.addHook('onRequest', async (request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    if (registration !== undefined && (path === registration || path.startsWith(`${registration}/`))) {
      // From any origin: an app that registers itself has none yet.
      allow(reply, '*')
      return answerPreflight(request, reply, path === registration ? 'POST' : 'GET, PUT, DELETE')
    }
    if (called.has(path)) await allowClients(request, reply)
    else if (open.has(path) || isUnknown(request, path)) allow(reply, '*')
    if (open.has(path) || isUnknown(request, path)) return answerPreflight(request, reply, 'GET')
  })

  for (const [path, methods] of called) {
    fastify.options(path, { schema: { hide: true } }, async (request, reply) => {
      if (reply.hasHeader('access-control-allow-origin')) reply.headers({ ...PREFLIGHT, 'access-control-allow-methods': methods })
      return reply.code(204).headers({ allow: `${methods}, OPTIONS`, 'cache-control': 'no-store' }).send()
    })
  }

  async function allowClients ({ headers: { origin } }: FastifyRequest, reply: FastifyReply) {
    reply.header('vary', 'origin')
    if (origin === undefined) return
    try {
      if (await clients.hasOrigin(origin)) allow(reply, origin)
    } catch (error) {
      // Only the error follows, and any page may learn that the database does not answer.
      allow(reply.header('cache-control', 'no-store'), origin)
      throw error
    }
  }

  /** A path without a route; not a page that is requested with a wrong method. */
  function isUnknown ({ is404 }: FastifyRequest, path: string) {
    return is404 && !METHODS.some(method => fastify.hasRoute({ method, url: path }))
  }
}, { name: 'cors', fastify: '5.x' })

function allow (reply: FastifyReply, origin: string) {
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'WWW-Authenticate, X-Request-Id, Retry-After, Deprecation, Link, DPoP-Nonce'
  })
}

function answerPreflight ({ method, headers }: FastifyRequest, reply: FastifyReply, methods: string) {
  if (method !== 'OPTIONS' || headers.origin === undefined || headers['access-control-request-method'] === undefined) return
  return reply.code(204).headers({ ...PREFLIGHT, 'access-control-allow-methods': methods }).send()
}
