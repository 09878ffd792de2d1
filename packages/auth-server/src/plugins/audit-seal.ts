import { periodic } from '@frontdesk/service-kit/plugins/periodic'
import { randomUUID } from 'node:crypto'
import fp from 'fastify-plugin'
import type { Stores } from '../stores/stores.js'

/** How often new rows of the audit trail are sealed, in milliseconds. */
const INTERVAL_MS = 60_000
/** Seals of one run: those that are left follow in the next one. */
const MAX_SEALS = 200

type SealStores = Pick<Stores, 'auditSeals' | 'leases' | 'clock'>

/** Seals the new rows of the audit trail periodically, on one replica at a time. */
export default fp<{ stores: SealStores, key: Uint8Array }>(async function sealPeriodically (fastify, { stores, key }) {
  const replica = randomUUID()
  periodic(fastify, {
    name: 'audit-seal',
    everyMs: INTERVAL_MS,
    lease: () => stores.leases.take('audit-seal', replica),
    async run () {
      const newest = await sealRows(stores, key)
      // Kept elsewhere, the log shows whether the end of the trail was cut off.
      if (newest !== null) fastify.log.info({ seal: newest.number, mac: newest.mac }, 'the audit trail is sealed')
    },
    warning: 'cannot seal the audit trail; retrying later'
  })
}, { name: 'audit-seal', fastify: '5.x', dependencies: ['clock'] })

/** Seals new rows, and removes seals whose rows were all removed. Returns the newest seal it made; `null` if there was nothing to seal. */
export async function sealRows ({ auditSeals, clock }: Omit<SealStores, 'leases'>, key: Uint8Array) {
  let newest = null
  for (let made = 0; made < MAX_SEALS; made++) {
    const seal = await auditSeals.sealNext(key, clock.now())
    if (seal === null) break
    newest = seal
  }
  await auditSeals.removeEmpty(key, MAX_SEALS)
  return newest
}
