import { addVary, allowOrigin, allowRequest, isPreflight } from '@frontdesk/service-kit/plugins/cors'
import { pathOf } from '@frontdesk/service-kit/path'
import fp from 'fastify-plugin'

interface CorsOptions {
  /** Origins whose pages can call the API. */
  origins: readonly string[]
  /** Prefix of every path, without trailing slash. */
  prefix: string
}

/** Response headers that pages can read. */
const EXPOSED = 'Location, ETag, Retry-After, WWW-Authenticate, X-Request-Id, Idempotent-Replayed, Deprecation, Sunset, Link, DPoP-Nonce, RateLimit, RateLimit-Policy'

/** Protected resource metadata (RFC 9728 §3): the first thing that clients read. */
const METADATA = '/.well-known/oauth-protected-resource'

/**
 * CORS: pages of the listed origins can call the API and read 404 responses; any page can read the metadata. This service's
 * own pages are not shared. A preflight continues to the OPTIONS handler of its path.
 */
export default fp<CorsOptions>(async function cors (fastify, { origins, prefix }) {
  const listed = new Set(origins)
  const api = [`${prefix}/rest/`, `${prefix}/openapi.json`, `${prefix}/mcp`]

  fastify.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    const path = pathOf(request.url)
    if (path === METADATA || path.startsWith(`${METADATA}/`)) allow('*', 'GET, HEAD')
    else if (api.some(start => path.startsWith(start)) || (request.is404 && fastify.routeAt(request.url) === undefined)) {
      addVary(reply, 'Origin')
      if (origin !== undefined && listed.has(origin)) allow(origin, 'GET, HEAD, POST, PUT, PATCH, DELETE')
    }
    done()

    function allow (origin: string, methods: string) {
      allowOrigin(reply, origin, EXPOSED)
      if (isPreflight(request)) allowRequest(request, reply, methods)
    }
  })
}, { name: 'cors', fastify: '5.x' })
