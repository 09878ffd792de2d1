import type { Attempt, Customers, CustomerRecord } from '../customers/customer-record.js'
import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import type { Steps } from '@frontdesk/database/steps'
import { insertion, rowOf } from '../customers/statements.js'

/** How long a key is kept, in milliseconds. */
const LIFETIME = 24 * 3_600_000

/** Adds customers whose caller may ask twice: the key and the customer are stored in one transaction. */
export function registerOnce (connection: Connection, clock: Pick<Clock, 'now'>): (customer: CustomerRecord, attempt: Attempt) => ReturnType<Customers['registerOnce']> {
  const underway = new Set<string>()
  const insert = insertion(connection)
  // Whoever inserts the key first lets others wait here until it has committed; a key that has ended is as good as none.
  const claim = new ValuesStatement(connection, list => `
    INSERT INTO idempotency_key (hash, fingerprint, customer_id, version, created_at, expires_at) ${list}
    ON CONFLICT (hash) DO UPDATE SET fingerprint = excluded.fingerprint, customer_id = excluded.customer_id,
      version = excluded.version, created_at = excluded.created_at, expires_at = excluded.expires_at
    WHERE idempotency_key.expires_at <= excluded.created_at RETURNING hash`, ['string', 'string', 'int', 'int', 'datetime', 'datetime'])
  const read = new ValuesStatement(connection, list => `SELECT fingerprint, version FROM idempotency_key WHERE hash IN (${list})`, ['string'])
  const markTaken = new ValuesStatement(connection, list => `UPDATE idempotency_key SET version = NULL WHERE hash IN (${list})`, ['string'])

  function * decide (customer: CustomerRecord, { hash, fingerprint }: Attempt, now: Date): Steps<Awaited<ReturnType<Customers['registerOnce']>>> {
    const { id, version } = customer
    const [claimed] = yield claim.query([[hash, fingerprint, id, version, now, new Date(now.getTime() + LIFETIME)]])
    if (claimed === undefined) {
      // as: the columns that were asked for; the row is there, since it was in the way just now.
      const [[kept, answered]] = (yield read.query([[hash]])) as [[string, number | null]]
      return kept === fingerprint ? { outcome: 'answered', version: answered, isReplay: true } : { outcome: 'other customer' }
    }
    const [added] = yield insert.query([rowOf(customer, now)])
    if (added === undefined) yield markTaken.query([[hash]])
    return { outcome: 'answered', version: added === undefined ? null : version, isReplay: false }
  }

  return async (customer, attempt) => {
    if (underway.has(attempt.hash)) return { outcome: 'under way' }
    underway.add(attempt.hash)
    try {
      return await connection.transact(() => decide(customer, attempt, clock.now()))
    } finally {
      underway.delete(attempt.hash)
    }
  }
}
