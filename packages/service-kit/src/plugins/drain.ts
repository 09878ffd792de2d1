import fp from 'fastify-plugin'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { OverloadError } from './overload.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the process is about to stop: readiness is 503, and every response closes its connection. */
    readonly draining: boolean
    /** Aborted as soon as the process begins to stop: responses without an end have to end then. */
    readonly stopping: AbortSignal
    /** Aborted some seconds later: uploads that have not arrived by then have to be answered. */
    readonly uploadsEnd: AbortSignal
    /** Drains; resolves when no connection is left. */
    drain: () => Promise<void>
  }
}

/** How long load balancers have to notice that readiness is 503, in milliseconds; new connections are still accepted. */
const NOTICE_MS = 500
/** How long responses are held back after that, in milliseconds. */
const HOLD_MS = 100
/** Turns of the event loop without a new connection after which the server stops listening, and the most turns in all. */
const [QUIET_TURNS, MAX_TURNS] = [5, 2_000]
/** Connections that have sent nothing after this are closed, in milliseconds. */
const SILENT_GRACE_MS = 1_000
/** Bodies that have not arrived after this are answered with 503, in milliseconds: the client has time to read that. */
const UPLOAD_GRACE_MS = 4_000
/** Connections that still send or read after this are cut, in milliseconds. */
const SHUTDOWN_GRACE_MS = 7_000

/** Graceful shutdown: stops accepting connections and responds to accepted requests, without resetting a connection. */
export default fp(async function drain (fastify) {
  const { server } = fastify
  const sockets = new Set<Socket>()
  let accepted = 0
  let draining = false
  let held: Promise<void> | undefined
  const [stopping, uploadsEnd] = [new AbortController(), new AbortController()]
  /** Requests whose body is read as a whole, and has not arrived. */
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

  /** Aborts reading of bodies with an error that becomes an overload response: nothing was processed. */
  function endUploads () {
    uploadsEnd.abort()
    for (const request of arriving.values()) if (request.listenerCount('error') > 0) request.emit('error', new OverloadError('the process stops'))
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
    // The system resets connections in the backlog that this process has not accepted yet. So responses are held back:
    // clients that wait for one open no new connection, and each turn of the loop accepts one from the backlog.
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
