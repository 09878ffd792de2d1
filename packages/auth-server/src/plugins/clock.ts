import fp from 'fastify-plugin'
import type { Clock } from '../stores/stores.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The clock that all replicas share. Never use the clock of this machine. */
    readonly clock: Clock
  }
}

/** Decorates the server with the clock of the database. */
export default fp<{ clock: Clock }>(async function clock (fastify, { clock }) {
  fastify.decorate('clock', clock)
}, { name: 'clock', fastify: '5.x' })
