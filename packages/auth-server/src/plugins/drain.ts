import fp from 'fastify-plugin'
import { setTimeout } from 'node:timers/promises'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the process is about to stop: readiness says so, and every answer closes its connection. */
    readonly draining: boolean
    /** Begins to drain; resolves when no connection is left. */
    drain: () => Promise<void>
  }
}

/** How long load balancers have to see that readiness is 503, in milliseconds; new connections are taken meanwhile. */
const NOTICE = 1_000
/** After this, connections that still send or read are cut, in milliseconds. */
const PATIENCE = 6_000

/** Lets a process leave without resetting a connection. */
export default fp(async function drain (fastify) {
  let draining = false
  fastify.decorate('draining', { getter: () => draining })
  fastify.decorate('drain', async () => {
    draining = true
    await setTimeout(NOTICE)
    // Closes idle connections and resolves when the others have ended.
    const closed = new Promise(resolve => fastify.server.close(resolve))
    const cut = globalThis.setTimeout(() => fastify.server.closeAllConnections(), PATIENCE)
    await closed
    clearTimeout(cut)
  })
  fastify.addHook('onSend', async (request, reply) => {
    if (draining) reply.header('connection', 'close')
  })
}, { name: 'drain', fastify: '5.x' })
