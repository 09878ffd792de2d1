import fp from 'fastify-plugin'
import { limitConnections } from '../sockets/connections.js'
import { hasLongRest, lingerOnClose } from '../sockets/lingering.js'
import { limitPipelining } from '../sockets/pipelining.js'

/**
 * Limits the memory of connections: their number, and how many requests each may send without reading the responses. Closes
 * those gently whose request was refused before it had arrived, or asked for another protocol, and says so in the response
 * (RFC 9112 §9.6).
 */
export default fp(async function sockets (fastify) {
  limitPipelining(fastify.server)
  limitConnections(fastify.server)
  lingerOnClose(fastify.server)
  fastify.addHook('onSend', (request, reply, payload, done) => {
    // Node.js drops what came in the same packet as a request to upgrade.
    if (hasLongRest(request.raw) || request.headers.upgrade !== undefined) reply.header('connection', 'close')
    done()
  })
}, { name: 'sockets', fastify: '5.x' })
