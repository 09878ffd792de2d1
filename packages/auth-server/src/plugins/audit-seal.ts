import { periodic } from '@frontdesk/service-kit/plugins/periodic'
import { randomUUID } from 'node:crypto'
import fp from 'fastify-plugin'
import type { Seal } from '../stores/operation/audit-mac.js'
import type { AuditSeals } from '../stores/operation/audit-seals.js'
import type { Stores } from '../stores/stores.js'

/** How often new rows of the audit trail are sealed, in milliseconds. */
const INTERVAL_MS = 60_000
/** Maximum seals in one run; the next run makes the rest. */
const MAX_SEALS = 200

type SealStores = Pick<Stores, 'auditSeals' | 'leases' | 'clock'>

/** Seals the new rows of the audit trail periodically, on one replica at a time. */
export default fp<{ stores: SealStores, key: Uint8Array }>(async function sealPeriodically (fastify, { stores, key }) {
  const replica = randomUUID()
  const newest = new NewestSeal(stores.auditSeals)
  periodic(fastify, {
    name: 'audit-seal',
    everyMs: INTERVAL_MS,
    lease: () => stores.leases.take('audit-seal', replica),
    async run () {
      const lost = await newest.findLoss()
      if (lost !== null) fastify.log.error({ seal: lost }, 'the newest seals of the audit trail were removed or replaced')
      const made = await sealRows(stores, key)
      if (made === null) return
      newest.remember(made)
      // If the log is kept elsewhere, it shows whether the end of the trail was cut off.
      fastify.log.info({ seal: made.number, mac: made.mac }, 'the audit trail is sealed')
    },
    warning: 'cannot seal the audit trail; retrying later'
  })
}, { name: 'audit-seal', fastify: '5.x', dependencies: ['clock'] })

/** Seals new rows, and removes seals without rows. Returns the newest seal that it made; `null` if there was nothing to seal. */
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

/** Detects what verifying the database cannot: that its newest seals were removed or replaced. */
export class NewestSeal {
  readonly #seals: Pick<AuditSeals, 'state' | 'find'>
  #seen: Pick<Seal, 'number' | 'mac'> | null = null

  constructor (seals: Pick<AuditSeals, 'state' | 'find'>) {
    this.#seals = seals
  }

  /** Remembers the newest seal. */
  remember (seal: Pick<Seal, 'number' | 'mac'> | null): void {
    this.#seen = seal
  }

  /** Remembers the database's newest seal. If the previously remembered seal was removed or replaced, returns its number; else `null`. */
  async findLoss (): Promise<number | null> {
    const before = this.#seen
    const { newest } = await this.#seals.state()
    this.remember(newest)
    if (before === null) return null
    // The server can have removed it with its rows, if it is no longer the newest.
    const found = await this.#seals.find(before.number)
    const isLost = newest === null || newest.number < before.number || (found !== null && found.mac !== before.mac)
    return isLost ? before.number : null
  }
}
