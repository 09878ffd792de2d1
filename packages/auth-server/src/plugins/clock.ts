import fp from 'fastify-plugin'
import type { Clock } from '../stores/stores.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The time that all replicas agree on: take it from here, never from this machine. */
    readonly clock: Clock
  }
}

/** Gives routes and plugins the clock of the database. */
export default fp<{ clock: Clock }>(async function clock (fastify, { clock }) {
  fastify.decorate('clock', clock)
}, { name: 'clock', fastify: '5.x' })
