import { inBatches } from '@frontdesk/database/expired'
import { periodic } from '@frontdesk/service-kit/plugins/periodic'
import { randomUUID } from 'node:crypto'
import fp from 'fastify-plugin'
import { expiringTables } from '../stores/expiring.js'
import type { Stores } from '../stores/stores.js'
import { rowsRemoved } from '../telemetry/events.js'

/** How often expired rows are deleted, in milliseconds. */
const INTERVAL_MS = 5 * 60_000

interface Options {
  stores: Stores
  /** How long the audit trail is kept, in milliseconds. */
  auditRetention: number
  /** Most rows of the audit trail. */
  auditMaxRows: number
}

/** Deletes expired rows and old audit rows periodically, on one replica at a time. */
export default fp<Options>(async function cleanUpPeriodically (fastify, { stores, auditRetention, auditMaxRows }) {
  const replica = randomUUID()
  periodic(fastify, {
    name: 'clean-up',
    everyMs: INTERVAL_MS,
    lease: () => stores.leases.take('clean-up', replica),
    async run () {
      const until = await fastify.clock.settled()
      // Else the time is uncertain.
      if (until !== null) await cleanUp(stores, until, { auditRetention, auditMaxRows })
    },
    warning: 'clean-up failed; retrying later'
  })
}, { name: 'clean-up', fastify: '5.x', dependencies: ['clock'] })

/** Which audit rows are deleted. Default: none. */
interface AuditLimits {
  /** Those that are older, in milliseconds. */
  readonly auditRetention?: number
  /** Those beyond that many: a row that is added removes another, so more are left only if the limit was lowered. */
  readonly auditMaxRows?: number
}

/** Deletes rows that expired by a time. @param until the database's time */
export async function cleanUp (
  { audit, registrations, removeExpired }: Stores, until: Date, { auditRetention, auditMaxRows = Infinity }: AuditLimits = {}
): Promise<void> {
  const publish = (table: string) => (rows: number) => rowsRemoved.publish({ table, rows })
  for (const table of expiringTables) await removeExpired(table, until, publish(table))
  await inBatches(limit => registrations.sweep(until, limit), publish('client'))
  if (auditRetention !== undefined) {
    await inBatches(limit => audit.sweep(new Date(until.getTime() - auditRetention), limit), publish('audit'))
  }
  if (auditMaxRows !== Infinity) await inBatches(limit => audit.trim(auditMaxRows, limit), publish('audit'))
}
