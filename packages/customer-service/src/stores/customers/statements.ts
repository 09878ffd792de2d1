import { Batch } from '@frontdesk/database/batch'
import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import type { Versions } from '../../input/etag.js'
import type { Change, CustomerRecord } from './customer-record.js'

type Now = Pick<Clock, 'now'>

/** The name as PUT compares it: Unicode NFC. */
export function keyOf (name: string): string {
  return name.normalize('NFC')
}

/** Inserts the customers whose ids are free; returns these ids. */
export function insertStatement (connection: Connection) {
  return new ValuesStatement(connection, list => `
    INSERT INTO customer (id, name, name_key, age, address, version, created_at, updated_at) ${list}
    ON CONFLICT (id) DO NOTHING RETURNING id`, ['int', 'string', 'string', 'int', 'string', 'int', 'datetime', 'datetime'], { id: 'int' })
}

/** A row for {@link insertStatement}. */
export function rowOf ({ id, name, age, address, version }: CustomerRecord, now: Date) {
  return [id, name, keyOf(name), age, address, version, now, now] as const
}

/** Inserts customers; resolves to whether the id was free. */
export function batchInserts (connection: Connection, clock: Now): Batch<CustomerRecord, boolean> {
  const statement = insertStatement(connection)
  return new Batch(async customers => {
    const now = clock.now()
    // Sorted: two statements that insert the same ids in different orders would deadlock.
    const rows = customers.map(customer => rowOf(customer, now)).sort(([one], [other]) => one - other)
    const added = new Set((await statement.run(rows)).map(({ id }) => id))
    return customers.map(({ id }) => added.has(id))
  }, { concurrency: connection.concurrency, keyOf: ({ id }) => id })
}

/** Finds customers by id. */
export function batchReads (connection: Connection): Batch<number, CustomerRecord | null> {
  const statement = new ValuesStatement(
    connection,
    list => `SELECT id, name, age, address, version FROM customer WHERE id IN (${list})`,
    ['int'],
    { id: 'int', name: 'string', age: 'int', address: 'string', version: 'int' }
  )
  return new Batch(async ids => {
    const found = new Map((await statement.run(ids.map(id => [id]))).map(customer => [customer.id, customer]))
    return ids.map(id => found.get(id) ?? null)
  }, connection)
}

/** Changes the address of the only customer with a name; resolves to its id, or to `null` if there are none or several. */
export function batchMoves (connection: Connection, clock: Now): Batch<{ key: string, address: string }, number | null> {
  const statement = new ValuesStatement(connection, list => `
    UPDATE customer SET address = change.column2, version = version + 1, updated_at = change.column3
    FROM (${list}) AS change
    WHERE name_key = change.column1
      AND (SELECT COUNT(*) FROM (SELECT 1 FROM customer AS other WHERE other.name_key = change.column1 LIMIT 2) AS namesake) = 1
    RETURNING name_key, id`, ['string', 'string', 'datetime'], { key: 'string', id: 'int' })
  return new Batch(async changes => {
    const now = clock.now()
    const changed = new Map((await statement.run(changes.map(({ key, address }) => [key, address, now]))).map(({ key, id }) => [key, id]))
    return changes.map(({ key }) => changed.get(key) ?? null)
  }, { concurrency: connection.concurrency, keyOf: ({ key }) => key })
}

/** Removes customers; resolves to whether the customer existed. */
export function batchRemovals (connection: Connection): Batch<number, boolean> {
  const statement = new ValuesStatement(
    connection,
    list => `DELETE FROM customer WHERE id IN (${list}) RETURNING id`,
    ['int'],
    { id: 'int' }
  )
  return new Batch(async ids => {
    const removed = new Set((await statement.run(ids.map(id => [id]))).map(({ id }) => id))
    return ids.map(id => removed.has(id))
  }, { concurrency: connection.concurrency, keyOf: id => id })
}

/** Makes the function that changes a customer if it has one of the versions; it resolves to whether it did. */
export function makeUpdate (connection: Connection, clock: Now): (id: number, change: Change, versions: Versions) => Promise<boolean> {
  const update = (condition: string) => new ValuesStatement(connection, list => `
    UPDATE customer SET name = COALESCE(change.column3, name), name_key = COALESCE(change.column4, name_key),
      age = COALESCE(change.column5, age), address = COALESCE(change.column6, address), version = version + 1, updated_at = change.column7
    FROM (${list}) AS change WHERE id = change.column1 ${condition} RETURNING id`, [
    'int', 'int', 'string', 'string', 'int', 'string', 'datetime'
  ])
  const anyVersion = update('')
  const thisVersion = update('AND version = change.column2')

  return async (id, { name, age, address }, versions) => {
    const key = name === undefined ? null : keyOf(name)
    const row = (version: number) => [id, version, name ?? null, key, age ?? null, address ?? null, clock.now()]
    // One row for each version: the customer has at most one of them.
    if (versions === 'any') return (await anyVersion.run([row(0)])).length === 1
    return versions.length > 0 && (await thisVersion.run(versions.map(row))).length === 1
  }
}
