import fp from 'fastify-plugin'
import type { Socket } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the process is about to stop: readiness says so, and every answer closes its connection. */
    readonly draining: boolean
    /** Begins to drain; resolves when no connection is left. */
    drain: () => Promise<void>
  }
}

/** How long load balancers have to see that readiness is 503, in milliseconds; new connections are taken meanwhile. */
const NOTICE_MS = 500
/** How long answers are held back then, in milliseconds. */
const HOLD_MS = 100
/** So many turns of the loop without a new connection, and at most so many in all, before the door is closed. */
const [QUIET_TURNS, MAX_TURNS] = [5, 2_000]
/** After this, connections over which nothing has come are closed, in milliseconds. */
const SILENT_GRACE_MS = 1_000
/** Connections that still send or read after this are cut, in milliseconds. */
const SHUTDOWN_GRACE_MS = 7_000

/** Lets a process leave without resetting a connection. */
export default fp(async function drain (fastify) {
  const { server } = fastify
  const sockets = new Set<Socket>()
  let taken = 0
  let draining = false
  let held: Promise<void> | undefined

  server.on('connection', (socket: Socket) => {
    taken++
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  fastify.decorate('draining', { getter: () => draining })
  fastify.decorate('drain', async () => {
    draining = true
    await setTimeout(NOTICE_MS)
    // The system resets connections that it has made and this process has not taken yet. A client that waits for an
    // answer makes no new one, and what there are are taken, one a turn of the loop, before setImmediate.
    let release = () => {}
    held = new Promise(resolve => { release = resolve })
    await setTimeout(HOLD_MS)
    for (let quiet = 0, turns = 0; quiet < QUIET_TURNS && turns < MAX_TURNS; turns++) {
      const before = taken
      await setImmediate()
      quiet = taken === before ? quiet + 1 : 0
    }
    const closed = new Promise(resolve => server.close(resolve))
    release()
    const timers = [
      globalThis.setTimeout(() => { for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy() }, SILENT_GRACE_MS),
      globalThis.setTimeout(() => server.closeAllConnections(), SHUTDOWN_GRACE_MS)
    ]
    await closed
    timers.forEach(clearTimeout)
  })
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (!draining) return done()
    reply.header('connection', 'close')
    if (held === undefined) return done()
    held.then(() => done())
  })
}, { name: 'drain', fastify: '5.x' })
