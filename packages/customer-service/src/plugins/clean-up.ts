import { periodic } from '@frontdesk/service-kit/plugins/periodic'
import { randomUUID } from 'node:crypto'
import fp from 'fastify-plugin'
import { expiringTables } from '../stores/expiring.js'
import type { Stores } from '../stores/open.js'

const INTERVAL_MS = 5 * 60_000

type Options = Pick<Stores, 'changes' | 'feed' | 'removeExpired' | 'settled' | 'takeLease'>

/** Periodically removes expired rows and changes, on one replica at a time. */
export default fp<Options>(async function cleanUp (fastify, { changes, feed, removeExpired, settled, takeLease }) {
  const replica = randomUUID()
  periodic(fastify, {
    name: 'clean-up',
    everyMs: INTERVAL_MS,
    lease: () => takeLease('clean-up', replica),
    async run () {
      const until = await settled()
      // First: readers count a removed change without a position as missed.
      await feed.catchUp()
      // Without a settled time, a row may not have expired yet.
      if (until === null) return
      for (const table of expiringTables) await removeExpired(table, until)
      await changes.removeExpired(until)
    },
    warning: 'clean-up failed; retrying later'
  })
}, { name: 'clean-up', fastify: '5.x' })
