import fp from 'fastify-plugin'

const headers = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  // Routes whose responses may be kept say so themselves.
  'Cache-Control': 'no-store'
}

/** Header fields that every response has. */
export default fp(async function securityHeaders (fastify) {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    done()
  })
}, { name: 'security-headers', fastify: '5.x' })
