import { randomUUID } from 'node:crypto'
import fp from 'fastify-plugin'
import type { Idempotency } from '../stores/idempotency/idempotency.js'

/** How often expired keys are removed. */
const INTERVAL_MS = 5 * 60_000

/** Removes expired idempotency keys, on one replica at a time. */
export default fp<{ idempotency: Idempotency }>(async function cleanUp (fastify, { idempotency }) {
  const replica = randomUUID()
  const timer = setInterval(() => {
    idempotency.removeExpired(replica).catch(err => fastify.log.warn({ err }, 'clean-up failed; retrying later'))
  }, INTERVAL_MS).unref()
  fastify.addHook('onClose', async () => clearInterval(timer))
}, { name: 'clean-up', fastify: '5.x' })
