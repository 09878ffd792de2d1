import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** Set `isDraining` to make clients go elsewhere: readiness turns to 503, and every answer closes its connection. */
    drain: { isDraining: boolean }
  }
}

/** Lets the process end without cutting anybody off. */
export default fp(async function drain (fastify) {
  fastify.decorate('drain', { isDraining: false })
  fastify.addHook('onSend', async (request, reply) => {
    if (fastify.drain.isDraining) reply.header('Connection', 'close')
  })
}, { name: 'drain', fastify: '5.x' })
