import { periodic } from '@frontdesk/service-kit/plugins/periodic'
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
  /** Most rows of the audit trail. */
  auditMaxRows: number
}

/** Deletes expired rows and old audit rows periodically, on one replica at a time. */
export default fp<Options>(async function cleanUp (fastify, { stores, auditRetention, auditMaxRows }) {
  const replica = randomUUID()
  const run = async () => { await cleanUpAs(replica, stores, await fastify.clock.settled(), auditRetention, auditMaxRows) }
  periodic(fastify, { name: 'clean-up', everyMs: INTERVAL_MS, run, warning: 'clean-up failed; retrying later' })
}, { name: 'clean-up', fastify: '5.x', dependencies: ['clock'] })

/**
 * Deletes rows that expired by a time, if this replica acquires or holds the lease. The holder loses it when it is late.
 * @param until the database's time; `null`: delete nothing, because the time is uncertain
 * @param auditRetention in milliseconds; without it, audit rows are kept
 * @param auditMaxRows most audit rows: a row that is added removes another, so more are left only if the limit was lowered
 * @returns whether this replica holds the lease
 */
export async function cleanUpAs (
  replica: string, stores: Stores, until: Date | null, auditRetention?: number, auditMaxRows = Infinity
): Promise<boolean> {
  const isHolder = await stores.leases.take('clean-up', replica)
  if (isHolder && until !== null) await sweep(stores, until, auditRetention, auditMaxRows)
  return isHolder
}

async function sweep ({ audit, ...stores }: Stores, until: Date, auditRetention: number | undefined, auditMaxRows: number): Promise<void> {
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
  const old = auditRetention === undefined ? [] : [['audit', audit, new Date(until.getTime() - auditRetention)] as const]
  for (const [table, store, end] of [...tables, ...old]) await inBatches(table, () => store.sweep(end, BATCH_SIZE))
  if (auditMaxRows !== Infinity) await inBatches('audit', () => audit.trim(auditMaxRows, BATCH_SIZE))
}

/** Removes rows until there are no more. */
async function inBatches (table: Parameters<typeof rowsRemoved.publish>[0]['table'], remove: () => Promise<number>): Promise<void> {
  let rows
  do {
    rows = await remove()
    rowsRemoved.publish({ table, rows })
  } while (rows === BATCH_SIZE)
}
