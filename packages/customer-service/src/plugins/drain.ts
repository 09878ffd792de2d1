import fp from 'fastify-plugin'
import type { Socket } from 'node:net'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the process is about to stop: readiness says so, and every answer closes its connection. */
    readonly draining: boolean
    /** Begins to drain. */
    drain: () => void
    /** Keeps answers back until the function it gives is called. */
    holdAnswers: () => () => void
    /** Closes connections over which nothing has come, such as those that browsers open in advance. */
    closeUnused: () => void
  }
}

/** Lets the process end without cutting anybody off. */
export default fp(async function drain (fastify) {
  const sockets = new Set<Socket>()
  let draining = false
  let held: Promise<void> | undefined

  fastify.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  fastify.decorate('draining', { getter: () => draining })
  fastify.decorate('drain', () => { draining = true })
  fastify.decorate('holdAnswers', () => {
    let release = () => {}
    held = new Promise(resolve => { release = resolve })
    return release
  })
  fastify.decorate('closeUnused', () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  })
  fastify.addHook('onSend', async (request, reply) => {
    if (!draining) return
    reply.header('Connection', 'close')
    await held
  })
}, { name: 'drain', fastify: '5.x' })
