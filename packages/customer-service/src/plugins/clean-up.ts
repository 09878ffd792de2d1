import { randomUUID } from 'node:crypto'
import fp from 'fastify-plugin'
import type { Idempotency } from '../stores/idempotency/idempotency.js'
import type { UsedProofs } from '../stores/proofs/proofs.js'

/** How often expired rows are removed. */
const INTERVAL_MS = 5 * 60_000

/** Removes expired idempotency keys and DPoP proofs, on one replica at a time. */
export default fp<{ idempotency: Idempotency, proofs: UsedProofs }>(async function cleanUp (fastify, { idempotency, proofs }) {
  const replica = randomUUID()
  const run = async () => {
    const isHolder = await idempotency.removeExpired(replica) !== null
    if (isHolder) await proofs.removeExpired()
  }
  const timer = setInterval(() => {
    run().catch(err => fastify.log.warn({ err }, 'clean-up failed; retrying later'))
  }, INTERVAL_MS).unref()
  fastify.addHook('onClose', async () => clearInterval(timer))
}, { name: 'clean-up', fastify: '5.x' })
