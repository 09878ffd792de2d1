import { inBatches } from '@frontdesk/database/expired'
import { periodic } from '@frontdesk/service-kit/plugins/periodic'
import { randomUUID } from 'node:crypto'
import fp from 'fastify-plugin'
import { expiringTables } from '../stores/expiring.js'
import type { Trimming } from '../stores/operation/audit.js'
import type { Stores } from '../stores/stores.js'
import { rowsRemoved } from '../telemetry/events.js'

/** How often expired rows are deleted, in milliseconds. */
const INTERVAL_MS = 5 * 60_000

/** Limits of the audit trail. */
interface AuditLimits {
  /** How long rows are kept, in milliseconds. */
  readonly auditRetention: number
  /** New rows replace old ones, so the limit is exceeded only after it is lowered. */
  readonly trimming: Trimming
}

/** Deletes expired rows and old audit rows periodically, on one replica at a time. */
export default fp<{ stores: Stores } & AuditLimits>(async function cleanUpPeriodically (fastify, { stores, ...limits }) {
  const replica = randomUUID()
  periodic(fastify, {
    name: 'clean-up',
    everyMs: INTERVAL_MS,
    lease: () => stores.leases.take('clean-up', replica),
    async run () {
      const until = await fastify.clock.settled()
      // `null`: the time is uncertain.
      if (until !== null) await cleanUp(stores, until, limits)
    },
    warning: 'clean-up failed; retrying later'
  })
}, { name: 'clean-up', fastify: '5.x', dependencies: ['clock'] })

/** Deletes rows that have expired. @param until the database's time @param limits default: none */
export async function cleanUp ({ audit, registrations, removeExpired }: Stores, until: Date, limits?: AuditLimits): Promise<void> {
  const publish = (table: string) => (rows: number) => rowsRemoved.publish({ table, rows })
  for (const table of expiringTables) await removeExpired(table, until, publish(table))
  await inBatches(limit => registrations.sweep(until, limit), publish('client'))
  if (limits === undefined) return
  const { auditRetention, trimming } = limits
  await inBatches(limit => audit.sweep(new Date(until.getTime() - auditRetention), limit, trimming.key), publish('audit'))
  await inBatches(limit => audit.trim(trimming, limit), publish('audit'))
}
