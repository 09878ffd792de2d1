import fp from 'fastify-plugin'
import { limitConnections } from '../sockets/connections.js'
import { lingerOnClose } from '../sockets/lingering.js'
import { limitPipelining } from '../sockets/pipelining.js'

/**
 * Limits the memory of connections: their number, and how many requests each may send without reading the responses. Closes
 * those gently whose request was refused before it had arrived.
 */
export default fp(async function sockets (fastify) {
  limitPipelining(fastify.server)
  limitConnections(fastify.server)
  lingerOnClose(fastify.server)
}, { name: 'sockets', fastify: '5.x' })
