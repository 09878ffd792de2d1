import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the process is about to stop: readiness says so, and every answer closes its connection. */
    readonly draining: boolean
    /** Begins to drain. */
    drain: () => void
  }
}

/** Lets a process leave without resetting a connection. */
export default fp(async function drain (fastify) {
  let draining = false
  fastify.decorate('draining', { getter: () => draining })
  fastify.decorate('drain', () => { draining = true })
  fastify.addHook('preClose', async () => { draining = true })
  fastify.addHook('onSend', async (request, reply) => {
    if (draining) reply.header('connection', 'close')
  })
}, { name: 'drain', fastify: '5.x' })
