import fp from 'fastify-plugin'

/** One line a request, without its query, headers or body; the request id goes back to the caller. */
export default fp(async function requestLog (fastify) {
  fastify.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  fastify.addHook('onResponse', async (request, reply) => {
    request.log.info({
      method: request.method,
      path: request.url.split(/[?#]/, 1)[0],
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ip: request.ip
    }, 'request')
  })
}, { name: 'request-log', fastify: '5.x' })
