import { randomUUID } from 'node:crypto'
import fp from 'fastify-plugin'
import type { Stores } from '../stores/stores.js'
import { rowsRemoved } from '../telemetry/events.js'

/** How often rows that have ended are removed, in milliseconds. */
const INTERVAL = 5 * 60_000
/** Rows a statement: a small one holds up nobody. */
const BATCH = 500

interface Options {
  stores: Stores
  /** How long the audit trail is kept, in milliseconds. */
  auditRetention: number
}

/** Removes sessions, grants, counters and what else has ended, and what is old of the audit trail, on one replica at a time. */
export default fp<Options>(async function cleanUp (fastify, { stores, auditRetention }) {
  const replica = randomUUID()
  const timer = setInterval(() => {
    cleanUpAs(replica, stores, new Date(), auditRetention).catch(error => fastify.log.warn({ err: error }, 'clean-up failed; it is tried again later'))
  }, INTERVAL).unref()
  fastify.addHook('onClose', async () => clearInterval(timer))
}, { name: 'clean-up', fastify: '5.x' })

/**
 * Removes everything that had ended by `now`, unless another replica does. Whoever did it goes on doing it, and is
 * replaced after it has missed its turn.
 * @param auditRetention in milliseconds; without it, all of the audit trail is kept
 * @returns whether it was this one
 */
export async function cleanUpAs (replica: string, stores: Stores, now: Date, auditRetention?: number): Promise<boolean> {
  const mine = await stores.leases.take('clean-up', replica, now, new Date(now.getTime() + 1.5 * INTERVAL))
  if (mine) await sweep(stores, now, auditRetention)
  return mine
}

async function sweep (stores: Stores, now: Date, auditRetention?: number): Promise<void> {
  const tables = [['session', stores.sessions, now], ['grant', stores.grants, now], ['throttle', stores.throttles, now], ['code', stores.codes, now],
    ['refresh token', stores.refreshTokens, now], ['client assertion', stores.clientAssertions, now], ['revocation', stores.revocations, now]] as const
  const old = auditRetention === undefined ? [] : [['audit', stores.audit, new Date(now.getTime() - auditRetention)] as const]
  for (const [table, store, end] of [...tables, ...old]) {
    let rows
    do {
      rows = await store.sweep(end, BATCH)
      rowsRemoved.tell({ table, rows })
    } while (rows === BATCH)
  }
}
