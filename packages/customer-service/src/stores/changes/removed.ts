import type { Connection } from '@frontdesk/database/connection'
import { correlatedExists } from '@frontdesk/database/correlated-exists'
import type { Row } from '@frontdesk/database/rows'
import { query, raw, sql } from '@frontdesk/database/sql'
import { columnNames, pick } from '@frontdesk/database/table'
import { customerChange } from '../../generated/tables.js'
import { matchesMeaning, type Meaning } from '../search/meaning.js'
import { parseValues, type Values } from './history.js'

/** Maximum removals to examine for a page, and at once. */
const MAX_EXAMINED = 5_000
const MAX_EXAMINED_AT_ONCE = 500

const REMOVAL = pick(customerChange, 'seq', 'customerId', 'version', 'at', 'sub', 'clientId', 'before')
const EXAMINED = { ...REMOVAL, isLast: 'boolean' } as const

/** Whether the number is free, and nothing was recorded since. */
const IS_LAST = `NOT (${correlatedExists('customer WHERE customer.id = removal.customer_id')}
  OR ${correlatedExists('customer_change AS later WHERE later.customer_id = removal.customer_id AND later.seq > removal.seq')})`

/** A removed customer that can be restored. */
export interface RemovedCustomer extends Omit<Row<typeof REMOVAL>, 'before'> {
  readonly values: Values
}

/** Selects removed customers, removed before a change. */
export interface RemovedQuery extends Meaning { readonly limit: number, readonly before?: bigint | undefined }

/**
 * Opens the list of removed customers whose history is kept, newest first. Examines a limited number of removals for a page, which
 * can have fewer customers than the limit, even none, before the last one. `next`: `before` of the next page.
 */
export function openRemoved (connection: Connection) {
  return async ({ limit, before, ...meaning }: RemovedQuery): Promise<{ customers: RemovedCustomer[], next: bigint | null }> => {
    const customers: RemovedCustomer[] = []
    let last = before
    for (let examined = 0; examined < MAX_EXAMINED; examined += MAX_EXAMINED_AT_ONCE) {
      const removals = await read(last)
      for (const { before: text, isLast, ...removal } of removals) {
        const values = isLast ? parseValues(text) : null
        if (values !== null && matchesMeaning(meaning, { id: removal.customerId, ...values })) {
          if (customers.length === limit) return { customers, next: last ?? null }
          customers.push({ ...removal, values })
        }
        last = removal.seq
      }
      if (removals.length < MAX_EXAMINED_AT_ONCE) return { customers, next: null }
    }
    return { customers, next: last ?? null }
  }

  async function read (last: bigint | undefined) {
    return await query(connection, EXAMINED, sql`
      SELECT ${raw(columnNames(REMOVAL))}, ${raw(IS_LAST)} FROM customer_change AS removal
      WHERE kind = 'removed' AND before IS NOT NULL ${last === undefined ? raw('') : sql`AND seq < ${last}`}
      ORDER BY seq DESC LIMIT ${raw(`${MAX_EXAMINED_AT_ONCE}`)}`)
  }
}
