import type { Connection } from '@frontdesk/database/connection'
import { queryStep, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { MAX_INTEGER } from '@frontdesk/schemas/customer'
import type { NewCustomer } from '../customers/customer-record.js'

/** A customer of a file; `id` is `null` if the import numbers it. */
export type UnnumberedCustomer = Omit<NewCustomer, 'id'> & { readonly id: number | null }

/** No number above the highest one is free. */
export class NumbersExhausted extends Error {}

/**
 * Waits for other transactions that number customers, or that register those whose names are not found. The first step of a
 * transaction, because another one could wait for what this one has changed. SQLite has one writer.
 */
export function * lockNumbering (connection: Connection): Steps<void> {
  if (connection.dialect === 'sqlite') return
  yield * queryStep(connection, { locked: 'string' }, sql`SELECT pg_advisory_xact_lock(7306001)::text AS locked`)
}

/**
 * Inserts customers in a transaction that began with {@link lockNumbering} if some have no number. These get the next numbers after
 * the highest in the register and its history, so that they do not continue the history of a removed customer.
 * @param insert inserts the customers whose numbers are free, and returns these
 * @returns the given numbers that were in use
 * @throws NumbersExhausted
 */
export function * insertNumbered (
  connection: Connection, customers: readonly UnnumberedCustomer[], insert: (customers: readonly NewCustomer[]) => Steps<Set<number>>
): Steps<Set<number>> {
  const added = yield * insert(customers.filter(isNumbered))
  const taken = new Set(customers.filter(isNumbered).map(({ id }) => id).filter(id => !added.has(id)))
  let left = customers.filter(({ id }) => id === null)
  while (left.length > 0) {
    let number = yield * findLast(connection)
    const numbered = left.map(customer => {
      if (++number > MAX_INTEGER) throw new NumbersExhausted(`the highest number is ${MAX_INTEGER}`)
      return { ...customer, id: number }
    })
    const inserted = yield * insert(numbered)
    // A number was registered since it was found to be free.
    left = left.filter((_, index) => !inserted.has(numbered[index]?.id ?? 0))
  }
  return taken
}

function isNumbered (customer: UnnumberedCustomer): customer is NewCustomer {
  return customer.id !== null
}

/** The highest number in the register and its history; 0 if all are negative. */
function * findLast (connection: Connection): Steps<number> {
  const [row] = yield * queryStep(connection, { last: 'int' }, sql`
    SELECT max(id) AS last FROM (
      SELECT max(id) AS id FROM customer UNION ALL SELECT max(customer_id) AS id FROM customer_change UNION ALL SELECT 0 AS id
    ) AS numbers`)
  return row?.last ?? 0
}
