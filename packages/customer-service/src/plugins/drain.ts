import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the process is about to stop: readiness says so, and every answer closes its connection. */
    readonly draining: boolean
    /** Begins to drain. */
    drain: () => void
  }
}

/** Lets the process end without cutting anybody off. */
export default fp(async function drain (fastify) {
  let draining = false
  fastify.decorate('draining', { getter: () => draining })
  fastify.decorate('drain', () => { draining = true })
  fastify.addHook('onSend', async (request, reply) => {
    if (draining) reply.header('Connection', 'close')
  })
}, { name: 'drain', fastify: '5.x' })
