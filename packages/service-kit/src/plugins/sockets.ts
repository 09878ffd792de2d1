import fp from 'fastify-plugin'
import { limitConnections } from '../sockets/connections.js'
import { hasLongRest, lingerOnClose } from '../sockets/lingering.js'
import { limitPipelining } from '../sockets/pipelining.js'

/**
 * Limits the number of connections, and their requests without a read response. Gracefully closes a connection after a response
 * to an incomplete request, or to one for another protocol, with `Connection: close` (RFC 9112 §9.6).
 */
export default fp(async function sockets (fastify) {
  limitPipelining(fastify.server)
  limitConnections(fastify.server)
  lingerOnClose(fastify.server)
  fastify.addHook('onSend', (request, reply, payload, done) => {
    // Node.js drops the rest of a packet with a request to upgrade.
    if (hasLongRest(request.raw) || request.headers.upgrade !== undefined) reply.header('connection', 'close')
    done()
  })
}, { name: 'sockets', fastify: '5.x' })
