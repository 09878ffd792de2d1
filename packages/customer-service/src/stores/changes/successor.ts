import type { Connection } from '@frontdesk/database/connection'
import { queryStep, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { pick } from '@frontdesk/database/table'
import { customerChange } from '../../generated/tables.js'

/** Maximum merges to follow, one after the other. */
const MAX_SUCCESSORS = 20

/**
 * Finds the customer that another one was merged into, also by way of others; `null` if the merge was not the last that happened to
 * the number, or if another customer has the number that it leads to.
 */
export function * successorOf (connection: Connection, customerId: number): Steps<number | null> {
  let successor: number | null = null
  let last = yield * findLast(connection, customerId)
  for (let followed = 0; last?.successor != null && followed < MAX_SUCCESSORS; followed++) {
    successor = last.successor
    const [other] = yield * queryStep(connection, pick(customerChange, 'seq'), sql`
      SELECT seq FROM customer_change WHERE customer_id = ${successor} AND seq > ${last.seq} AND kind = 'registered' ORDER BY seq LIMIT 1`)
    last = yield * findLast(connection, successor, other?.seq)
    if (other !== undefined && last?.successor == null) return null
  }
  return successor
}

/** Finds the last change of a number. @param until only those with a lower `seq` */
function * findLast (connection: Connection, id: number, until?: bigint) {
  const [last] = yield * queryStep(connection, pick(customerChange, 'seq', 'successor'), sql`
    SELECT seq, successor FROM customer_change WHERE customer_id = ${id} ${until === undefined ? raw('') : sql`AND seq < ${until}`}
    ORDER BY seq DESC LIMIT 1`)
  return last
}
