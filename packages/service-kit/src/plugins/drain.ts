import fp from 'fastify-plugin'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { OverloadError } from './overload.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the process is stopping: readiness is 503, and every response closes its connection. */
    readonly draining: boolean
    /** Aborts when the process begins to stop: endless responses must end. */
    readonly stopping: AbortSignal
    /** Aborts some seconds later: incomplete uploads must get a response. */
    readonly uploadsEnd: AbortSignal
    /** Drains; resolves when no connection is left. */
    drain: () => Promise<void>
  }
}

/** Time for load balancers to notice that readiness is 503; new connections are still accepted. */
const NOTICE_MS = 500
/** How long responses are held back after that. */
const HOLD_MS = 100
/** Turns of the event loop without a new connection before the server stops listening, and maximum turns. */
const [QUIET_TURNS, MAX_TURNS] = [5, 2_000]
/** When connections that have sent nothing are closed. */
const SILENT_GRACE_MS = 1_000
/** When incomplete bodies get a 503, which leaves clients time to read it. */
const UPLOAD_GRACE_MS = 4_000
/** When the remaining connections are closed. */
const SHUTDOWN_GRACE_MS = 7_000

/** Graceful shutdown: stops accepting connections and responds to accepted requests, without resetting connections. */
export default fp(async function drain (fastify) {
  const { server } = fastify
  const sockets = new Set<Socket>()
  let accepted = 0
  let draining = false
  let held: Promise<void> | undefined
  const [stopping, uploadsEnd] = [new AbortController(), new AbortController()]
  /** Requests with an incomplete body that is read as a whole. */
  const arriving = new Map<Socket, IncomingMessage>()

  server.on('connection', (socket: Socket) => {
    accepted++
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      arriving.delete(socket)
    })
  })
  fastify.addHook('preParsing', ({ raw }, reply, payload, done) => {
    if (!raw.complete) arriving.set(raw.socket, raw)
    done(null, payload)
  })
  fastify.addHook('preValidation', ({ raw }, reply, done) => {
    arriving.delete(raw.socket)
    done()
  })

  /** Ends the reading of bodies with an overload error: nothing was processed. */
  function endUploads () {
    uploadsEnd.abort()
    for (const request of arriving.values()) {
      if (request.listenerCount('error') > 0) request.emit('error', new OverloadError('the process stops'))
    }
  }

  fastify.decorate('draining', { getter: () => draining })
  fastify.decorate('stopping', stopping.signal)
  fastify.decorate('uploadsEnd', uploadsEnd.signal)
  fastify.addHook('preClose', async () => stopping.abort())
  fastify.decorate('drain', async () => {
    draining = true
    stopping.abort()
    const uploads = globalThis.setTimeout(endUploads, UPLOAD_GRACE_MS)
    await setTimeout(NOTICE_MS)
    // The system would reset connections in the backlog. So responses are held back: clients that wait for one open no new
    // connection, while each turn of the event loop accepts one from the backlog.
    let release = () => {}
    held = new Promise(resolve => { release = resolve })
    await setTimeout(HOLD_MS)
    for (let quiet = 0, turns = 0; quiet < QUIET_TURNS && turns < MAX_TURNS; turns++) {
      const before = accepted
      await setImmediate()
      quiet = accepted === before ? quiet + 1 : 0
    }
    const closed = new Promise(resolve => server.close(resolve))
    release()
    const timers = [
      uploads,
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
