import type { Connection } from '@frontdesk/database/connection'
import { queryStep, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { pick } from '@frontdesk/database/table'
import { auditCount } from '../../generated/tables.js'

const COUNT = pick(auditCount, 'total', 'last')

/**
 * Changes the count of rows and gives positions to new ones; returns the count and the last position. Its row lock serializes the
 * transactions that add, remove and seal rows: positions are in the order of commits, and the limit is never exceeded.
 */
export function * changeCount (connection: Connection, { by = 0, positions = 0 }): Steps<{ total: number, last: bigint }> {
  const [row] = yield * queryStep(connection, COUNT, sql`
    INSERT INTO audit_count (id, total, last) VALUES (1, ${by}, ${positions})
    ON CONFLICT (id) DO UPDATE SET total = audit_count.total + ${by}, last = audit_count.last + ${positions} RETURNING total, last`)
  // as: it returns the row that it inserted or updated.
  return row!
}

/** Locks the count: see {@link changeCount}. */
export function lockCount (connection: Connection): Steps<{ total: number, last: bigint }> {
  return changeCount(connection, {})
}
