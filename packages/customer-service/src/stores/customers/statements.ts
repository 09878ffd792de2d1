import { Batcher, type Mode } from '@frontdesk/database/batch'
import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { createLookup } from '@frontdesk/database/lookup'
import type { Columns } from '@frontdesk/database/rows'
import { runBatch } from '@frontdesk/database/run-batch'
import { columnNames, columns, nullable, pick } from '@frontdesk/database/table'
import { customer } from '../../generated/tables.js'
import type { Versions } from '../../input/etag.js'
import type { Actor } from '../changes/change.js'
import type { Recording } from '../changes/recording.js'
import { foldedAddress, type Change, type CustomerRecord } from './customer-record.js'
import { insertStatement, newEntry } from './insertion.js'
import { updateEntry, updateStatement } from './update.js'

type Now = Pick<Clock, 'now'>

/** A new address for the only customer with a name. */
interface AddressChange { key: string, address: string, versions: Versions, actor: Actor }

interface Update { id: number, change: Change, versions: Versions, actor: Actor, key?: string }

/** Batches insertions; each resolves to whether the id was free. */
export function batchInserts (connection: Connection, clock: Now, recording: Recording) {
  const statement = insertStatement(recording)
  return new Batcher<{ customer: CustomerRecord, actor: Actor }, boolean>(async (additions, mode) => {
    const now = clock.now()
    // Sorted, because two statements that insert the same ids in different orders would deadlock.
    const sorted = additions.toSorted((one, other) => one.customer.id - other.customer.id)
    const entries = sorted.map(({ customer, actor }) => newEntry(customer, now, actor))
    const added = new Set((await runBatch(connection, statement, entries, mode)).map(({ id }) => id))
    return additions.map(({ customer }) => added.has(customer.id))
  }, { concurrency: connection.concurrency, keyOf: ({ customer }) => customer.id })
}

/** Creates a function that finds a customer by id. Concurrent calls share a statement. */
export function makeFind (connection: Connection): (entry: { id: number }) => Promise<CustomerRecord | null> {
  const row = pick(customer, 'id', 'name', 'age', 'address', 'version')
  return createLookup(connection, {
    entry: pick(customer, 'id'),
    sql: entries => `SELECT ${columns(row, 'customer')} FROM customer WHERE id IN (SELECT entry.id FROM ${entries})`,
    row
  }, 'id')
}

/** Creates a function that changes the address of the only customer with a name, if it has one of the versions. Resolves to its id. */
export function makeAddressChange (
  connection: Connection, clock: Now, recording: Recording
): (change: AddressChange) => Promise<number | null> {
  const statement = recording.change({
    kind: "'updated'",
    where: `customer.name_key = entry.name_key AND customer.version = COALESCE(entry.version, customer.version)
      AND (SELECT COUNT(*) FROM (SELECT 1 FROM customer AS other WHERE other.name_key = entry.name_key LIMIT 2) AS namesake) = 1`,
    after: { name: 'customer.name', age: 'customer.age', address: 'entry.address' },
    entry: { ...pick(customer, 'nameKey', 'address', 'addressWords', 'updatedAt'), ...nullable(pick(customer, 'version')) },
    sql: (entries, where) => `
      UPDATE customer SET address = entry.address, version = customer.version + 1, updated_at = entry.updated_at,
        address_words = entry.address_words
      FROM ${entries} WHERE ${where} RETURNING customer.name_key, customer.id`,
    row: pick(customer, 'nameKey', 'id')
  })
  return share(async (changes, mode) => {
    const now = clock.now()
    const entries = changes.flatMap(({ key: nameKey, address, versions, actor }) => entriesPerVersion(versions, version =>
      ({ nameKey, version, address, ...foldedAddress(address), updatedAt: now, at: now, ...actor })))
    const changed = new Map((await runBatch(connection, statement, entries, mode)).map(({ nameKey, id }) => [nameKey, id]))
    return changes.map(({ key }) => changed.get(key) ?? null)
  }, { concurrency: connection.concurrency, keyOf: ({ key }) => key, none: null })
}

/** Creates a function that changes a customer if it has one of the versions and, with `key`, that name. Resolves to whether it did. */
export function makeUpdate (connection: Connection, clock: Now, recording: Recording): (update: Update) => Promise<boolean> {
  const statement = updateStatement(recording)
  return share(async (updates, mode) => {
    const now = clock.now()
    const entries = updates.flatMap(({ id, versions, actor, key: knownKey = null, change }) => {
      const entry = updateEntry(id, change, now, actor)
      return entriesPerVersion(versions, version => ({ ...entry, version, knownKey }))
    })
    const changed = new Set((await runBatch(connection, statement, entries, mode)).map(({ id }) => id))
    return updates.map(({ id }) => changed.has(id))
  }, { concurrency: connection.concurrency, keyOf: ({ id }) => id, none: false })
}

/** Batches removals; each resolves to whether the customer existed. */
export function batchRemovals (connection: Connection, clock: Now, recording: Recording): Batcher<{ id: number, actor: Actor }, boolean> {
  const statement = removal(connection, recording, pick(customer, 'id'))
  return new Batcher(async (removals, mode) => {
    const now = clock.now()
    const entries = removals.map(({ id, actor }) => ({ id, at: now, ...actor }))
    const removed = new Set((await runBatch(connection, statement, entries, mode)).map(({ id }) => id))
    return removals.map(({ id }) => removed.has(id))
  }, { concurrency: connection.concurrency, keyOf: ({ id }) => id })
}

/** Creates a function that removes a customer if it has one of the versions. Resolves to whether it did. */
export function makeRemoval (connection: Connection, clock: Now, recording: Recording) {
  const statement = removal(connection, recording, pick(customer, 'id', 'version'))
  return async (id: number, versions: readonly number[], actor: Actor): Promise<boolean> => {
    if (versions.length === 0) return false
    const now = clock.now()
    return (await statement.run(versions.map(version => ({ id, version, at: now, ...actor })))).length === 1
  }
}

/** @param entry columns by which the customers are found @param kind of the changes */
export function removal<const E extends Columns> (connection: Connection, recording: Recording, entry: E, kind: 'removed' | 'merged' = 'removed') {
  return recording.change({
    kind: `'${kind}'`,
    where: `(${columns(entry, 'customer')}) = (${columns(entry, 'entry')})`,
    after: null,
    entry,
    sql: (entries, where) => connection.dialect === 'sqlite'
      ? `DELETE FROM customer WHERE (${columnNames(entry)}) IN (SELECT ${columns(entry, 'entry')} FROM ${entries}) RETURNING id`
      : `DELETE FROM customer USING ${entries} WHERE ${where} RETURNING customer.id`,
    row: pick(customer, 'id')
  })
}

/** Batches changes. A change with several versions has its own statement, as the list may be long. */
function share<T extends { versions: Versions }, R> (
  run: (changes: T[], mode: Mode) => Promise<R[]>,
  { none, ...options }: { concurrency: number, keyOf: (change: T) => unknown, none: R }
): (change: T) => Promise<R> {
  const batcher = new Batcher(run, options)
  return async change => {
    const { versions } = change
    if (versions === 'any' || versions.length === 1) return await batcher.run(change)
    const [result = none] = versions.length === 0 ? [] : await run([change], { isShared: false })
    return result
  }
}

/** Makes an entry for each version; `null` is any. At most one of them matches a customer. */
function entriesPerVersion<E> (versions: Versions, entry: (version: number | null) => E): E[] {
  return versions === 'any' ? [entry(null)] : versions.map(entry)
}
