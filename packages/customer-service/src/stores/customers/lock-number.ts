import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { newRow, queryStep, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, columns, pick } from '@frontdesk/database/table'
import { customer } from '../../generated/tables.js'

/** Version of a placeholder row; customers have 0 or more. */
export const NONE = -1

const NO_CUSTOMER = pick(customer, 'id', 'name', 'nameKey', 'age', 'address', 'version', 'createdAt', 'updatedAt')

/** A statement that locks many numbers as {@link lockNumber} does, in the order of its entries, without returning versions. */
export function lockNumbers (connection: Connection) {
  const lock = listStatement(connection, {
    entry: NO_CUSTOMER,
    sql: entries => `
      INSERT INTO customer (${columnNames(NO_CUSTOMER)}) SELECT ${columns(NO_CUSTOMER, 'entry')} FROM ${entries} WHERE true
      ON CONFLICT (id) DO UPDATE SET version = customer.version`
  })
  /** @param ids sorted, because another order could deadlock */
  return (ids: readonly number[], now: Date) => lock.step(ids.map(id => placeholder(id, now)))
}

/** A statement that removes the placeholder rows of numbers. */
export function removePlaceholders (connection: Connection) {
  const remove = listStatement(connection, {
    entry: pick(customer, 'id'),
    sql: entries => `DELETE FROM customer WHERE version = ${NONE} AND id IN (SELECT entry.id FROM ${entries})`
  })
  return (ids: readonly number[]) => remove.step(ids.map(id => ({ id })))
}

/**
 * Locks a number until the transaction ends, even if no customer has it: concurrent writes to it wait. Returns the customer's
 * version; `null` if there is no customer, and then a placeholder row that the transaction must remove.
 */
export function * lockNumber (connection: Connection, id: number, now: Date): Steps<number | null> {
  const [row] = yield * queryStep(connection, pick(customer, 'version'), sql`
    INSERT INTO customer ${newRow(NO_CUSTOMER, placeholder(id, now))}
    ON CONFLICT (id) DO UPDATE SET version = customer.version RETURNING version`)
  return row === undefined || row.version === NONE ? null : row.version
}

function placeholder (id: number, now: Date) {
  return { id, name: '', nameKey: '', age: 0, address: '', version: NONE, createdAt: now, updatedAt: now }
}
