import fp from 'fastify-plugin'

const headers = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  // The default; routes with cacheable responses set their own.
  'Cache-Control': 'no-store'
}

/** Sets the headers of every response. */
export default fp(async function securityHeaders (fastify) {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    done()
  })
}, { name: 'security-headers', fastify: '5.x' })
