import type { FastifyInstance } from 'fastify'
import { ImplicitUseCounter } from '../stores/implicit-use-counter.js'
import type { ImplicitUses } from '../stores/implicit-uses.js'

/** Makes what counts the uses of the implicit grant; it writes before the server has closed. */
export function countImplicitUses (fastify: FastifyInstance, store: ImplicitUses): ImplicitUseCounter {
  const counter = new ImplicitUseCounter(store, err => fastify.log.warn({ err }, 'uses of the implicit grant could not be written; it is tried again'))
  fastify.addHook('onClose', () => counter.close())
  return counter
}
