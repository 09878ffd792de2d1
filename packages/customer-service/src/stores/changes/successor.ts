import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { pick } from '@frontdesk/database/table'
import { customer } from '../../generated/tables.js'

/** Maximum merges to follow, one after the other. */
const MAX_MERGES = 20

/** SQL: `seq` of the change that registered another customer with the successor's number; NULL: there is none. */
const TAKEN = `(SELECT MIN(later.seq) FROM customer_change AS later
  WHERE later.customer_id = change.successor AND later.seq > change.seq AND later.kind = 'registered')`

/**
 * Creates a statement that finds the customers that others were merged into, following chains of merges. A number has none if the
 * merge was not its last change, or if another customer has the number that it leads to.
 */
export function successorStatement (connection: Connection) {
  // UNION: entries can be repeated.
  return listStatement(connection, {
    entry: pick(customer, 'id'),
    sql: entries => `
      WITH RECURSIVE followed (id, successor, taken, merges) AS (
        SELECT entry.id, change.successor, ${TAKEN}, 1 FROM ${entries} JOIN customer_change AS change
          ON change.seq = (SELECT MAX(last.seq) FROM customer_change AS last WHERE last.customer_id = entry.id)
        WHERE change.successor IS NOT NULL
        UNION
        SELECT followed.id, change.successor, ${TAKEN}, followed.merges + 1 FROM followed JOIN customer_change AS change
          ON change.seq = (SELECT MAX(last.seq) FROM customer_change AS last
            WHERE last.customer_id = followed.successor AND last.seq < COALESCE(followed.taken, ${2n ** 63n - 1n}))
        WHERE change.successor IS NOT NULL AND followed.merges < ${MAX_MERGES}
      )
      SELECT id, successor FROM followed
      WHERE taken IS NULL AND (id, merges) IN (SELECT id, MAX(merges) FROM followed GROUP BY id)`,
    row: { ...pick(customer, 'id'), successor: 'int' }
  })
}
