import fp from 'fastify-plugin'

const headers = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  // Routes whose answers may be kept say so themselves.
  'Cache-Control': 'no-store'
}

/** Header fields that every answer has. */
export default fp(async function securityHeaders (fastify) {
  fastify.addHook('onRequest', async (request, reply) => { reply.headers(headers) })
}, { name: 'security-headers', fastify: '5.x' })
