import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { executeStep, newRow, queryStep, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { pick } from '@frontdesk/database/table'
import { idempotencyKey } from '../../generated/tables.js'
import { firstVersion, type CustomerRecord, type NewCustomer } from '../customers/customer-record.js'
import type { Actor } from '../changes/change.js'
import type { Recording } from '../changes/recording.js'
import { insertOrLock, newEntry } from '../customers/insertion.js'

/** How long a key is kept, in milliseconds. */
const KEY_LIFETIME_MS = 24 * 3_600_000

/** A request that can be repeated and takes effect once: SHA-256 of the key and the caller, and of what was sent. */
export interface IdempotentRequest { hash: string, fingerprint: string }

/** `version` is `null` if the id was in use; a replay repeats the response to the first request. */
type Outcome = { outcome: 'answered', version: number | null, isReplay: boolean } | { outcome: 'under way' | 'other customer' }

/** Opens the store of idempotency keys. One transaction stores a key, its customer and the record of the change. */
export function openIdempotency (connection: Connection, clock: Pick<Clock, 'now'>, recording: Recording) {
  const underway = new Set<string>()
  const insert = insertOrLock(connection, recording)

  return {
    /** Adds a customer, idempotent for 24 hours. Does nothing if the same request is in progress, or the key has another customer. */
    async registerOnce (customer: NewCustomer, request: IdempotentRequest, actor: Actor): Promise<Outcome> {
      if (underway.has(request.hash)) return { outcome: 'under way' }
      underway.add(request.hash)
      try {
        const record = { ...customer, version: firstVersion() }
        return await connection.transact(() => decide(record, request, actor, clock.now()))
      } finally {
        underway.delete(request.hash)
      }
    }
  }

  function * decide (customer: CustomerRecord, { hash, fingerprint }: IdempotentRequest, actor: Actor, now: Date): Steps<Outcome> {
    const { id, version } = customer
    const expiresAt = new Date(now.getTime() + KEY_LIFETIME_MS)
    // Atomic: concurrent requests with the key wait here until the first one has committed. Overwrites an expired key.
    const claimed = yield * executeStep(connection, sql`
      INSERT INTO idempotency_key ${newRow(idempotencyKey.columns, { hash, fingerprint, customerId: id, version, createdAt: now, expiresAt })}
      ON CONFLICT (hash) DO UPDATE SET fingerprint = excluded.fingerprint, customer_id = excluded.customer_id,
        version = excluded.version, created_at = excluded.created_at, expires_at = excluded.expires_at
      WHERE idempotency_key.expires_at <= excluded.created_at`)
    if (claimed === 0) {
      // !: the row that caused the conflict.
      const known = (yield * queryStep(connection, pick(idempotencyKey, 'fingerprint', 'version'), sql`
        SELECT fingerprint, version FROM idempotency_key WHERE hash = ${hash}`))[0]!
      return known.fingerprint === fingerprint
        ? { outcome: 'answered', version: known.version, isReplay: true }
        : { outcome: 'other customer' }
    }
    const isAdded = (yield * insert([newEntry(customer, now, actor)])).has(id)
    if (!isAdded) yield * executeStep(connection, sql`UPDATE idempotency_key SET version = NULL WHERE hash = ${hash}`)
    return { outcome: 'answered', version: isAdded ? version : null, isReplay: false }
  }
}
