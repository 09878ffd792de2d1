import fp from 'fastify-plugin'
import type { Clock } from '../stores/stores.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The clock that all replicas share. Never use this machine's clock. */
    readonly clock: Clock
  }
}

/** Decorates the server with the database's clock. */
export default fp<{ clock: Clock }>(async function clock (fastify, { clock }) {
  fastify.decorate('clock', clock)
}, { name: 'clock', fastify: '5.x' })
