import { periodic } from '@frontdesk/service-kit/plugins/periodic'
import { randomUUID } from 'node:crypto'
import fp from 'fastify-plugin'
import { expiringTables } from '../stores/expiring.js'
import type { Stores } from '../stores/open.js'

/** How often expired rows are removed, in milliseconds. */
const INTERVAL_MS = 5 * 60_000

type Options = Pick<Stores, 'changes' | 'feed' | 'removeExpired' | 'takeLease'>

/** Removes expired idempotency keys, progress of imports, DPoP proofs, changes and counters, on one replica at a time. */
export default fp<Options>(async function cleanUp (fastify, { changes, feed, removeExpired, takeLease }) {
  const replica = randomUUID()
  const run = async () => {
    for (const table of expiringTables) await removeExpired(table)
    // Before: a change that never had a position is a missed one to every reader.
    await feed.catchUp()
    await changes.removeExpired()
  }
  periodic(fastify, {
    name: 'clean-up',
    everyMs: INTERVAL_MS,
    lease: () => takeLease('clean-up', replica),
    run,
    warning: 'clean-up failed; retrying later'
  })
}, { name: 'clean-up', fastify: '5.x' })
