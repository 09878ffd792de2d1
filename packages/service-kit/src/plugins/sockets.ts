import fp from 'fastify-plugin'
import { limitConnections } from '../sockets/connections.js'
import { limitPipelining } from '../sockets/pipelining.js'

/** Bounds what connections can hold: how many there are, and how much each can ask without reading the answers. */
export default fp(async function sockets (fastify) {
  limitPipelining(fastify.server)
  limitConnections(fastify.server)
}, { name: 'sockets', fastify: '5.x' })
