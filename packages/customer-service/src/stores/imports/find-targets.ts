import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import type { Row } from '@frontdesk/database/rows'
import type { Steps } from '@frontdesk/database/steps'
import { columns, nullable, pick } from '@frontdesk/database/table'
import { customer, customerChange } from '../../generated/tables.js'
import { successorStatement } from '../changes/successor.js'
import { normalizeName } from '../customers/customer-record.js'
import type { UnnumberedCustomer } from './numbering.js'
import type { ImportRule } from './rule.js'

const CUSTOMER = pick(customer, 'id', 'nameKey', 'name', 'age', 'address')
const TARGET = { ...CUSTOMER, ...nullable(pick(customerChange, 'operationId')) }

/** A customer. `operationId`: of its last change. */
type Target = Row<typeof TARGET>

const SELECT = `SELECT ${columns(CUSTOMER, 'customer')},
  (SELECT change.operation_id FROM customer_change AS change WHERE change.customer_id = customer.id ORDER BY change.seq DESC LIMIT 1)`

/** What a record is about: the customers with its number, or two at most with its name, and the one its number was merged into. */
export interface Found { readonly targets: readonly Target[], readonly successor: number | undefined }

/**
 * Creates a step that finds the customers that records are about.
 * @param isLocking whether they are locked until the transaction ends, so that nothing changes or erases them
 */
export function findTargets (connection: Connection, isLocking: boolean) {
  // In the order of the ids, as they are inserted: another order could deadlock. SQLite has one writer.
  const lock = isLocking && connection.dialect === 'postgresql' ? 'ORDER BY customer.id FOR NO KEY UPDATE OF customer' : ''
  const byNumber = listStatement(connection, {
    entry: pick(customer, 'id'),
    sql: entries => `${SELECT} FROM customer WHERE customer.id IN (SELECT entry.id FROM ${entries}) ${lock}`,
    row: TARGET
  })
  const byName = listStatement(connection, {
    entry: pick(customer, 'nameKey'),
    // The last condition is checked again after a lock was waited for.
    sql: entries => `
      ${SELECT} FROM (SELECT entry.name_key, ${namesake('MIN')} AS first_id, ${namesake('MAX')} AS second_id FROM ${entries})
        AS found JOIN customer ON customer.id IN (found.first_id, found.second_id) AND customer.name_key = found.name_key ${lock}`,
    row: TARGET
  })
  const bySuccession = successorStatement(connection)

  return function * (records: readonly UnnumberedCustomer[], { mode, match }: ImportRule): Steps<Map<UnnumberedCustomer, Found>> {
    const rows = yield * (match === 'number'
      ? byNumber.step(records.flatMap(({ id }) => id === null ? [] : [{ id }]))
      : byName.step(records.map(({ name }) => ({ nameKey: normalizeName(name) }))))
    const targets = new Map<number | string | null, Map<number, Target>>()
    for (const row of rows) {
      const key = match === 'number' ? row.id : row.nameKey
      targets.set(key, (targets.get(key) ?? new Map()).set(row.id, row))
    }
    const of = ({ id, name }: UnnumberedCustomer) => [...targets.get(match === 'number' ? id : normalizeName(name))?.values() ?? []]
    // To register a customer, it does not matter that its number was merged.
    const unknown = mode === 'create' ? [] : records.flatMap(record => record.id === null || of(record).length > 0 ? [] : [record.id])
    // A statement of its own, after the lock was waited for: it sees the merges until then.
    const successors = yield * findSuccessors(unknown)
    return new Map(records.map(record => [record, { targets: of(record), successor: successors.get(record.id ?? NaN) }]))
  }

  function * findSuccessors (ids: readonly number[]): Steps<Map<number, number>> {
    const found = yield * bySuccession.step(ids.map(id => ({ id })))
    // Locks them: an erasure waits, and then removes what the report has of them.
    yield * byNumber.step(found.map(({ successor }) => ({ id: successor })))
    return new Map(found.map(({ id, successor }) => [id, successor]))
  }
}

/** One of two customers with a name, or the only one. */
function namesake (choose: 'MIN' | 'MAX'): string {
  return `(SELECT ${choose}(namesake.id) FROM (SELECT id FROM customer WHERE name_key = entry.name_key LIMIT 2) AS namesake)`
}
