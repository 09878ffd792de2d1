import { raw, sql, type Sql } from '@frontdesk/database/sql'
import { pick } from '@frontdesk/database/table'
import type { Row } from '@frontdesk/database/rows'
import { customerChange } from '../../generated/tables.js'

/** A customer that was merged into another one, and when: later changes with its number are another customer's. */
export const MERGED = { id: 'int', ...pick(customerChange, 'seq', 'at') } as const
type Merged = Row<typeof MERGED>

/** A merge that was undone: the next change restored the customer. */
const IS_UNDONE = raw(`COALESCE((
  SELECT later.kind FROM customer_change AS later WHERE later.customer_id = change.customer_id AND later.seq > change.seq
  ORDER BY later.seq LIMIT 1), '') = 'restored'`)

/**
 * Selects {@link MERGED}: the customers that were merged into one, also by way of others. UNION finds each merge once, although many
 * ways can lead to it if numbers were registered again.
 */
export function selectMerged (customerId: number): Sql {
  return sql`
    WITH RECURSIVE merged (id, seq, at) AS (
      SELECT change.customer_id, change.seq, change.at FROM customer_change AS change
      WHERE change.successor = ${customerId} AND NOT ${IS_UNDONE}
      UNION
      SELECT change.customer_id, change.seq, change.at FROM merged JOIN customer_change AS change ON change.successor = merged.id
      WHERE change.seq < merged.seq AND NOT ${IS_UNDONE}
    ) SELECT id, MAX(seq), MAX(at) FROM merged WHERE id <> ${customerId} GROUP BY id ORDER BY id`
}

/** Conditions on `idempotency_key`: it is a customer's, or one's that was merged into it. */
export function ofPerson (customerId: number, merged: readonly Merged[]): Sql[] {
  return [sql`customer_id = ${customerId}`, ...merged.map(({ id, at }) => sql`customer_id = ${id} AND created_at <= ${at}`)]
}
