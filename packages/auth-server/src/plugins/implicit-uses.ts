import type { FastifyInstance } from 'fastify'
import { ImplicitUseCounter } from '../stores/implicit-use-counter.js'
import type { ImplicitUses } from '../stores/implicit-uses.js'

/** Makes the counter of uses of the implicit grant. It is flushed when the server closes. */
export function countImplicitUses (fastify: FastifyInstance, store: ImplicitUses): ImplicitUseCounter {
  const counter = new ImplicitUseCounter(
    store,
    err => fastify.log.warn({ err }, 'cannot write uses of the implicit grant; retrying')
  )
  fastify.addHook('onClose', () => counter.close())
  return counter
}
