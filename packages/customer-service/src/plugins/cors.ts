import fastifyCors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

/** Who may make cross-origin requests. */
export interface CorsOptions {
  origins: readonly string[]
  /** Header fields that pages may send, in addition to {@link HEADERS}. */
  headers: readonly string[]
}

/** The header fields that this service reads, and those that HTTP clients and tracing libraries add to every request. */
const HEADERS = [
  'Authorization', 'Content-Type', 'Accept', 'If-Match', 'If-None-Match', 'Idempotency-Key', 'Last-Event-ID', 'X-Request-Id', 'DPoP',
  'Cache-Control', 'X-Requested-With', 'traceparent', 'tracestate', 'baggage', 'sentry-trace'
]

/** Header fields of preflight responses only. */
const PREFLIGHT = ['Access-Control-Allow-Methods', 'Access-Control-Allow-Headers', 'Access-Control-Max-Age']

/** CORS: pages of the listed origins may call. A preflight continues to the OPTIONS handler of its path. */
export default fp<CorsOptions>(async function cors (fastify, { origins, headers }) {
  const options = {
    origin: [...origins],
    exposedHeaders: 'Location, ETag, Retry-After, WWW-Authenticate, X-Request-Id, Idempotent-Replayed, Deprecation, Sunset, Link, DPoP-Nonce, RateLimit, RateLimit-Policy',
    methods: 'GET, HEAD, POST, PUT, PATCH, DELETE',
    allowedHeaders: [...new Map([...HEADERS, ...headers].map(name => [name.toLowerCase(), name])).values()].join(', '),
    maxAge: 600,
    preflightContinue: true,
    strictPreflight: false
  } satisfies FastifyCorsOptions

  await fastify.register(fastifyCors, options)
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS' && !isPreflight(request)) for (const name of PREFLIGHT) reply.removeHeader(name)
    done()
  })
}, { name: 'cors', fastify: '5.x' })

/** https://fetch.spec.whatwg.org/#cors-preflight-request */
function isPreflight ({ headers }: FastifyRequest) {
  return headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}
