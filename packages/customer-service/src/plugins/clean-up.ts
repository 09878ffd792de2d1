import { randomUUID } from 'node:crypto'
import fp from 'fastify-plugin'
import type { Changes } from '../stores/changes/changes.js'
import type { Feed } from '../stores/changes/feed.js'
import type { Idempotency } from '../stores/idempotency/idempotency.js'
import type { Imports } from '../stores/imports/imports.js'
import type { UsedProofs } from '../stores/proofs/proofs.js'
import type { RateLimiter } from '../stores/rate-limiter.js'

/** How often expired rows are removed. */
const INTERVAL_MS = 5 * 60_000

/** What expires. */
export interface CleanUpOptions {
  idempotency: Idempotency
  imports: Imports
  proofs: UsedProofs
  changes: Changes
  feed: Feed
  rateLimiter: RateLimiter | null
}

/** Removes expired idempotency keys, progress of imports, DPoP proofs, changes and counters, on one replica at a time. */
export default fp<CleanUpOptions>(async function cleanUp (fastify, { idempotency, imports, proofs, changes, feed, rateLimiter }) {
  const replica = randomUUID()
  const run = async () => {
    const isHolder = await idempotency.removeExpired(replica) !== null
    if (!isHolder) return
    await imports.removeExpired()
    await proofs.removeExpired()
    // Before: a change that never had a position is a missed one to every reader.
    await feed.catchUp()
    await changes.removeExpired()
    await rateLimiter?.removeExpired()
  }
  const timer = setInterval(() => {
    run().catch(err => fastify.log.warn({ err }, 'clean-up failed; retrying later'))
  }, INTERVAL_MS).unref()
  fastify.addHook('onClose', async () => clearInterval(timer))
}, { name: 'clean-up', fastify: '5.x' })
