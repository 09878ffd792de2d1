import type { Connection } from '@frontdesk/database/connection'
import { newRow, queryStep, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { pick } from '@frontdesk/database/table'
import { customer } from '../../generated/tables.js'

/** Version of a placeholder row; customers have 0 or more. */
const NONE = -1

const NO_CUSTOMER = pick(customer, 'id', 'name', 'nameKey', 'age', 'address', 'version', 'createdAt', 'updatedAt')

/**
 * Locks a number until the transaction ends, even if no customer has it: concurrent writes to it wait. Returns the customer's
 * version; `null` if there is no customer, and then a placeholder row that the transaction must remove.
 */
export function * lockNumber (connection: Connection, id: number, now: Date): Steps<number | null> {
  const none = { id, name: '', nameKey: '', age: 0, address: '', version: NONE, createdAt: now, updatedAt: now }
  const [row] = yield * queryStep(connection, pick(customer, 'version'), sql`
    INSERT INTO customer ${newRow(NO_CUSTOMER, none)}
    ON CONFLICT (id) DO UPDATE SET version = customer.version RETURNING version`)
  return row === undefined || row.version === NONE ? null : row.version
}
