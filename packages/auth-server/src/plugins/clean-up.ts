import { randomUUID } from 'node:crypto'
import fp from 'fastify-plugin'
import { REVOCATION_MARGIN } from '../lifetimes.js'
import type { Stores } from '../stores/stores.js'
import { rowsRemoved } from '../telemetry/events.js'

/** How often expired rows are deleted, in milliseconds. */
const INTERVAL_MS = 5 * 60_000
/** Rows per statement: small statements do not block others. */
const BATCH_SIZE = 500

interface Options {
  stores: Stores
  /** How long the audit trail is kept, in milliseconds. */
  auditRetention: number
}

/** Deletes expired rows and old audit rows periodically, on one replica at a time. */
export default fp<Options>(async function cleanUp (fastify, { stores, auditRetention }) {
  const replica = randomUUID()
  const run = async () => { await cleanUpAs(replica, stores, await fastify.clock.settled(), auditRetention) }
  const timer = setInterval(() => {
    run().catch(error => fastify.log.warn({ err: error }, 'clean-up failed; it is tried again later'))
  }, INTERVAL_MS).unref()
  fastify.addHook('onClose', async () => clearInterval(timer))
}, { name: 'clean-up', fastify: '5.x', dependencies: ['clock'] })

/**
 * Deletes rows that expired by a time, if this replica acquires or holds the lease. The holder loses it when it is late.
 * @param until the database's time; `null`: delete nothing, because the time is uncertain
 * @param auditRetention in milliseconds; without it, audit rows are kept
 * @returns whether this replica holds the lease
 */
export async function cleanUpAs (replica: string, stores: Stores, until: Date | null, auditRetention?: number): Promise<boolean> {
  const isHolder = await stores.leases.take('clean-up', replica)
  if (isHolder && until !== null) await sweep(stores, until, auditRetention)
  return isHolder
}

async function sweep (stores: Stores, until: Date, auditRetention?: number): Promise<void> {
  const margin = new Date(until.getTime() - REVOCATION_MARGIN * 1_000)
  const tables = [
    ['session', stores.sessions, until],
    ['grant', stores.grants, until],
    ['throttle', stores.throttles, until],
    ['code', stores.codes, until],
    ['device code', stores.deviceCodes, until],
    ['client session', stores.clientSessions, until],
    ['refresh token', stores.refreshTokens, until],
    ['pushed request', stores.pushedRequests, until],
    ['client assertion', stores.clientAssertions, until],
    ['registration token', stores.registrationTokens, until],
    ['client', stores.registrations, until],
    ['revocation', stores.revocations, margin]
  ] as const
  const old = auditRetention === undefined ? [] : [['audit', stores.audit, new Date(until.getTime() - auditRetention)] as const]
  for (const [table, store, end] of [...tables, ...old]) {
    let rows
    do {
      rows = await store.sweep(end, BATCH_SIZE)
      rowsRemoved.publish({ table, rows })
    } while (rows === BATCH_SIZE)
  }
}
