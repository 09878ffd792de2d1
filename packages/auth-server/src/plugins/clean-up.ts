import { randomUUID } from 'node:crypto'
import fp from 'fastify-plugin'
import type { Stores } from '../stores/stores.js'
import { rowsRemoved } from '../telemetry/events.js'

/** How often rows that have ended are removed, in milliseconds. */
const INTERVAL = 5 * 60_000
/** Rows a statement: a small one holds up nobody. */
const BATCH = 500

/** Removes sessions, grants and counters that have ended, on one replica at a time. */
export default fp<{ stores: Stores }>(async function cleanUp (fastify, { stores }) {
  const replica = randomUUID()
  const timer = setInterval(() => {
    cleanUpAs(replica, stores, new Date()).catch(error => fastify.log.warn({ err: error }, 'clean-up failed; it is tried again later'))
  }, INTERVAL).unref()
  fastify.addHook('onClose', async () => clearInterval(timer))
}, { name: 'clean-up', fastify: '5.x' })

/**
 * Removes everything that had ended by `now`, unless another replica does. Whoever did it goes on doing it, and is
 * replaced after it has missed its turn.
 * @returns whether it was this one
 */
export async function cleanUpAs (replica: string, stores: Stores, now: Date): Promise<boolean> {
  const mine = await stores.leases.take('clean-up', replica, now, new Date(now.getTime() + 1.5 * INTERVAL))
  if (mine) await sweep(stores, now)
  return mine
}

async function sweep (stores: Stores, now: Date): Promise<void> {
  const tables = [['session', stores.sessions], ['grant', stores.grants], ['throttle', stores.throttles]] as const
  for (const [table, store] of tables) {
    let rows
    do {
      rows = await store.sweep(now, BATCH)
      rowsRemoved.tell({ table, rows })
    } while (rows === BATCH)
  }
}
