import { periodic } from '@frontdesk/service-kit/plugins/periodic'
import { randomUUID } from 'node:crypto'
import fp from 'fastify-plugin'
import type { Stores } from '../stores/open.js'

/** How often expired rows are removed. */
const INTERVAL_MS = 5 * 60_000

type Options = Pick<Stores, 'idempotency' | 'imports' | 'proofs' | 'changes' | 'feed' | 'rateLimiter' | 'takeLease'>

/** Removes expired idempotency keys, progress of imports, DPoP proofs, changes and counters, on one replica at a time. */
export default fp<Options>(async function cleanUp (fastify, { idempotency, imports, proofs, changes, feed, rateLimiter, takeLease }) {
  const replica = randomUUID()
  const run = async () => {
    await idempotency.removeExpired()
    await imports.removeExpired()
    await proofs.removeExpired()
    // Before: a change that never had a position is a missed one to every reader.
    await feed.catchUp()
    await changes.removeExpired()
    await rateLimiter?.removeExpired()
  }
  periodic(fastify, {
    name: 'clean-up',
    everyMs: INTERVAL_MS,
    lease: () => takeLease('clean-up', replica),
    run,
    warning: 'clean-up failed; retrying later'
  })
}, { name: 'clean-up', fastify: '5.x' })
