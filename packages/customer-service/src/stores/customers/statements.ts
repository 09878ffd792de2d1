import type { CustomerRecord } from './customer-record.js'
import { Batch } from '@frontdesk/database/batch'
import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { ValuesStatement } from '@frontdesk/database/values-statement'

/** The name as PUT compares it: Unicode NFC. */
export function keyOf (name: string): string {
  return name.normalize('NFC')
}

/** Adds the customers whose ids are free; gives these ids. */
export function insertion (connection: Connection): ValuesStatement {
  return new ValuesStatement(connection, list => `
    INSERT INTO customer (id, name, name_key, age, address, version, created_at, updated_at) ${list}
    ON CONFLICT (id) DO NOTHING RETURNING id`, ['int', 'string', 'string', 'int', 'string', 'int', 'datetime', 'datetime'])
}

/** A customer as {@link insertion} adds it. */
export function rowOf ({ id, name, age, address, version }: CustomerRecord, now: Date) {
  return [id, name, keyOf(name), age, address, version, now, now] as const
}

/** Adds customers; answers whether the id was free. */
export function registrations (connection: Connection, clock: Pick<Clock, 'now'>): Batch<CustomerRecord, boolean> {
  const statement = insertion(connection)
  return new Batch(async customers => {
    const now = clock.now()
    // In one order everywhere: two statements that add the same ids would wait for each other.
    const rows = customers.map(customer => rowOf(customer, now)).sort(([one], [other]) => one - other)
    const added = new Set((await statement.run(rows)).map(([id]) => id))
    return customers.map(({ id }) => added.has(id))
  }, { concurrency: connection.concurrency, keyOf: ({ id }) => id })
}

/** Finds customers by id. */
export function reads (connection: Connection): Batch<number, CustomerRecord | null> {
  const statement = new ValuesStatement(connection, list => `SELECT id, name, age, address, version FROM customer WHERE id IN (${list})`, ['int'])
  return new Batch(async ids => {
    const rows = await statement.run(ids.map(id => [id])) as Array<[number, string, number, string, number]>
    const found = new Map(rows.map(([id, name, age, address, version]) => [id, { id, name, age, address, version }]))
    return ids.map(id => found.get(id) ?? null)
  }, connection)
}

/** Changes the address of the one customer of a name; answers its id, or `null` if it did not. */
export function moves (connection: Connection, clock: Pick<Clock, 'now'>): Batch<{ key: string, address: string }, number | null> {
  const statement = new ValuesStatement(connection, list => `
    UPDATE customer SET address = change.column2, version = version + 1, updated_at = change.column3
    FROM (${list}) AS change
    WHERE name_key = change.column1
      AND (SELECT COUNT(*) FROM (SELECT 1 FROM customer AS other WHERE other.name_key = change.column1 LIMIT 2) AS namesake) = 1
    RETURNING name_key, id`, ['string', 'string', 'datetime'])
  return new Batch(async changes => {
    const now = clock.now()
    // as: the columns.
    const changed = new Map(await statement.run(changes.map(({ key, address }) => [key, address, now])) as Array<[string, number]>)
    return changes.map(({ key }) => changed.get(key) ?? null)
  }, { concurrency: connection.concurrency, keyOf: ({ key }) => key })
}

/** Removes customers; answers whether there was one. */
export function removals (connection: Connection): Batch<number, boolean> {
  const statement = new ValuesStatement(connection, list => `DELETE FROM customer WHERE id IN (${list}) RETURNING id`, ['int'])
  return new Batch(async ids => {
    const removed = new Set((await statement.run(ids.map(id => [id]))).map(([id]) => id))
    return ids.map(id => removed.has(id))
  }, { concurrency: connection.concurrency, keyOf: id => id })
}
