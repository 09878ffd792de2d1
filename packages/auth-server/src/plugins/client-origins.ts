import fp from 'fastify-plugin'
import type { Clients } from '../stores/clients.js'

/** What a preflight is told (https://fetch.spec.whatwg.org/#http-cors-protocol). */
const PREFLIGHT = {
  'access-control-allow-methods': 'POST',
  // The last one is sent by Swagger UI.
  'access-control-allow-headers': 'Authorization, Content-Type, X-Requested-With',
  'access-control-max-age': '600'
}

/**
 * Lets apps in a browser call the routes of its scope: pages of an origin that a registered callback has. Without
 * credentials: cookies mean nothing here.
 * @param options.paths the routes
 */
export default fp<{ clients: Pick<Clients, 'hasOrigin'>, paths: readonly string[] }>(async function clientOrigins (fastify, { clients, paths }) {
  fastify.addHook('onRequest', async ({ headers: { origin } }, reply) => {
    reply.header('vary', 'origin')
    if (origin !== undefined && await clients.hasOrigin(origin)) {
      reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': 'X-Request-Id, Retry-After' })
    }
  })
  for (const path of paths) {
    fastify.options(path, { schema: { hide: true } }, async (request, reply) => {
      if (reply.hasHeader('access-control-allow-origin')) reply.headers(PREFLIGHT)
      return reply.code(204).header('allow', 'POST, OPTIONS').send()
    })
  }
}, { name: 'client-origins', fastify: '5.x' })
