import type { Connection } from '@frontdesk/database/connection'
import { correlatedExists } from '@frontdesk/database/correlated-exists'
import { listStatement } from '@frontdesk/database/list-statement'
import type { Row } from '@frontdesk/database/rows'
import { nullable, pick } from '@frontdesk/database/table'
import { customer, customerChange } from '../../generated/tables.js'
import { NONE } from '../customers/lock-number.js'
import { IS_BETWEEN, IS_EARLIER_UNDO, IS_LINK, IS_PART, IS_REVERTED, IS_SELECTED, isBy, SELECTION } from './selection.js'

/** Maximum later changes of a customer to look for pairs of a change and its undo, which takes the square of their number. */
const MAX_LATER = 16

const { seq, kind, version, before, after, at, sub } = nullable(customerChange.columns)

/**
 * A customer. `firstSeq`: of its first change to undo, null if that is not kept. `base`: that change or, if an undo since an earlier time
 * or a change between those of an operation came after it, the next one to undo, all null if there is none. `last`: the last change.
 * `own`: the last change that is a part of what is undone, unless many came later. `other`: the last change after `base` that is no part
 * of it. `isOtherReverted`: whether undos reverted all of these; false if there are many. `isLinked`: whether a merge to undo connects it
 * with another customer. `isCounted`: whether the undo has already changed it.
 */
const EXAMINED = {
  ...pick(customer, 'id'),
  ...nullable(pick(customer, 'version', 'name', 'age', 'address')),
  firstSeq: seq,
  baseKind: kind,
  baseBefore: before,
  baseAfter: after,
  lastKind: kind,
  lastVersion: version,
  lastAfter: after,
  ownAfter: after,
  otherKind: kind,
  otherAt: at,
  otherSub: sub,
  isOtherReverted: 'boolean',
  isLinked: 'boolean',
  isCounted: 'boolean'
} as const

export type Examined = Row<typeof EXAMINED>

/** Creates a statement that finds what decides whether the changes of customers can be undone. */
export function examineStatement (connection: Connection) {
  const search = (condition: string, order: 'ASC' | 'DESC') => `(
    SELECT change.seq FROM customer_change AS change WHERE change.customer_id = entry.id AND ${condition}
    ORDER BY change.seq ${order} LIMIT 1)`
  const countLater = `(SELECT COUNT(*) FROM (
    SELECT 1 FROM customer_change AS change WHERE change.customer_id = entry.id AND change.seq > entry.base_seq
    LIMIT ${MAX_LATER + 1}) AS later)`
  return listStatement(connection, {
    entry: { ...pick(customer, 'id'), ...SELECTION },
    // DISTINCT: entries can be repeated. First the searches, because the primary key finds a change by a column, not by a subquery.
    sql: entries => `
      SELECT DISTINCT entry.id, customer.version, customer.name, customer.age, customer.address,
        entry.first_seq, base.kind, base.before, base.after, latest.kind, latest.version, latest.after, own.after,
        other.kind, other.at, other.sub,
        CASE WHEN entry.own_seq IS NULL THEN false
          ELSE ${search(`change.seq > entry.base_seq AND ${IS_PART} IS NOT TRUE AND ${IS_REVERTED} IS NOT TRUE`, 'DESC')} IS NULL END,
        ${correlatedExists(`customer_change AS change WHERE ${IS_LINK}`)},
        ${isBy('entry.undo_id', 'part.seq >= entry.start')}
      FROM (
        SELECT entry.*, ${search(`change.seq > entry.base_seq AND ${IS_PART} IS NOT TRUE`, 'DESC')} AS other_seq,
          CASE WHEN ${countLater} <= ${MAX_LATER}
            THEN ${search(`change.seq >= entry.base_seq AND ${IS_PART} IS TRUE`, 'DESC')} END AS own_seq
        FROM (
          SELECT entry.*,
            ${search(`change.seq >= COALESCE(entry.passed_seq, entry.first_seq) AND ${IS_SELECTED} IS TRUE`, 'ASC')} AS base_seq
          FROM (
            SELECT entry.*, ${search(`change.seq >= entry.start AND ${IS_SELECTED} IS TRUE`, 'ASC')} AS first_seq,
              ${search(`change.seq >= entry.start AND (${IS_EARLIER_UNDO} OR ${IS_BETWEEN})`, 'DESC')} AS passed_seq,
              ${search('true', 'DESC')} AS latest_seq
            FROM ${entries}
          ) AS entry
        ) AS entry
      ) AS entry
      LEFT JOIN customer ON customer.id = entry.id AND customer.version <> ${NONE}
      LEFT JOIN customer_change AS base ON base.seq = entry.base_seq
      LEFT JOIN customer_change AS latest ON latest.seq = entry.latest_seq
      LEFT JOIN customer_change AS own ON own.seq = entry.own_seq
      LEFT JOIN customer_change AS other ON other.seq = entry.other_seq`,
    row: EXAMINED
  })
}
