import fp from 'fastify-plugin'
import type { Stores } from '../stores/stores.js'

/** How often rows that have ended are removed, in milliseconds. */
const INTERVAL = 5 * 60_000
/** Rows a statement: a small one holds up nobody. */
const BATCH = 500

/** Removes sessions, grants and counters that have ended. */
export default fp<{ stores: Stores }>(async function cleanUp (fastify, { stores }) {
  const timer = setInterval(() => {
    sweep(stores, new Date()).catch(error => fastify.log.warn({ err: error }, 'clean-up failed; it is tried again later'))
  }, INTERVAL).unref()
  fastify.addHook('onClose', async () => clearInterval(timer))
}, { name: 'clean-up', fastify: '5.x' })

/** Removes everything that had ended by `now`. */
export async function sweep (stores: Stores, now: Date): Promise<void> {
  for (const store of [stores.sessions, stores.grants, stores.throttles]) {
    while (await store.sweep(now, BATCH) === BATCH);
  }
}
