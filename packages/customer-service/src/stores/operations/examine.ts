import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import type { Row } from '@frontdesk/database/rows'
import { nullable, pick } from '@frontdesk/database/table'
import { customer, customerChange } from '../../generated/tables.js'
import { NONE } from '../customers/lock-number.js'

/** Which changes to undo: those of an operation and, so that it can continue, of its undo. */
const SELECTION = { operationId: 'string', undoId: 'string?', start: 'bigint' } as const

/** `start`: no change to undo has a lower `seq`. */
export type Selection = Row<typeof SELECTION>

const { kind, version, before, after, at, sub } = nullable(customerChange.columns)

/**
 * A customer. `first`: the first change to undo, all null if it is not kept. `last`: the last change. `other`: the last change after
 * `first` that is not to be undone.
 */
const EXAMINED = {
  ...pick(customer, 'id'),
  ...nullable(pick(customer, 'version', 'name', 'age', 'address')),
  firstKind: kind,
  firstBefore: before,
  firstAfter: after,
  lastKind: kind,
  lastVersion: version,
  lastAfter: after,
  otherKind: kind,
  otherAt: at,
  otherSub: sub
} as const

export type Examined = Row<typeof EXAMINED>

/** SQL condition: whether `change` is to be undone. NULL counts as no. */
const IS_SELECTED = '(change.operation_id IN (entry.operation_id, entry.undo_id))'

/** Creates a statement that finds what decides whether the changes of customers can be undone. */
export function examineStatement (connection: Connection) {
  const search = (condition: string, order: 'ASC' | 'DESC') => `(
    SELECT change.seq FROM customer_change AS change WHERE change.customer_id = entry.id AND ${condition}
    ORDER BY change.seq ${order} LIMIT 1)`
  return listStatement(connection, {
    entry: { ...pick(customer, 'id'), ...SELECTION },
    // DISTINCT: entries can be repeated. First the searches, because the primary key finds a change by a column, not by a subquery.
    sql: entries => `
      SELECT DISTINCT entry.id, customer.version, customer.name, customer.age, customer.address, first.kind, first.before, first.after,
        latest.kind, latest.version, latest.after, other.kind, other.at, other.sub
      FROM (
        SELECT entry.*, ${search(`change.seq > entry.first_seq AND ${IS_SELECTED} IS NOT TRUE`, 'DESC')} AS other_seq
        FROM (
          SELECT entry.*, ${search(`change.seq >= entry.start AND ${IS_SELECTED} IS TRUE`, 'ASC')} AS first_seq,
            ${search('true', 'DESC')} AS latest_seq
          FROM ${entries}
        ) AS entry
      ) AS entry
      LEFT JOIN customer ON customer.id = entry.id AND customer.version <> ${NONE}
      LEFT JOIN customer_change AS first ON first.seq = entry.first_seq
      LEFT JOIN customer_change AS latest ON latest.seq = entry.latest_seq
      LEFT JOIN customer_change AS other ON other.seq = entry.other_seq`,
    row: EXAMINED
  })
}
