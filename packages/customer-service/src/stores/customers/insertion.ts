import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, columns, pick } from '@frontdesk/database/table'
import { customer } from '../../generated/tables.js'
import type { Actor } from '../changes/change.js'
import type { Recording } from '../changes/recording.js'
import { foldedAddress, foldedName, type CustomerRecord } from './customer-record.js'

/** A statement that inserts the customers whose ids are free, and returns these ids. @param kind of the changes */
export function insertStatement (recording: Recording, kind?: 'restored') {
  return recording.insert({
    entry: customer.columns,
    sql: entries => `
      INSERT INTO customer (${columnNames(customer.columns)}) SELECT ${columns(customer.columns, 'entry')} FROM ${entries} WHERE true
      ON CONFLICT (id) DO NOTHING RETURNING id`
  }, kind)
}

/** An entry of {@link insertStatement}. */
export function newEntry (customer: CustomerRecord, now: Date, actor: Actor) {
  const derived = { ...foldedName(customer.name), ...foldedAddress(customer.address) }
  return { ...customer, ...derived, createdAt: now, updatedAt: now, at: now, ...actor }
}

/**
 * A step of a transaction that stores which ids were in use: inserts the other customers, and returns their ids. Locks those
 * in use until the transaction ends, so that an erasure waits, and then removes what was stored.
 */
export function insertOrLock (connection: Connection, recording: Recording) {
  const insert = insertStatement(recording)
  // In the order of the ids, as they are inserted: another order could deadlock.
  const lock = listStatement(connection, {
    entry: pick(customer, 'id'),
    sql: entries => `SELECT id FROM customer WHERE id IN (SELECT entry.id FROM ${entries}) ORDER BY id FOR SHARE`,
    row: pick(customer, 'id')
  })

  /** @param entries sorted by id */
  return function * (entries: ReadonlyArray<ReturnType<typeof newEntry>>): Steps<Set<number>> {
    const added = new Set<number>()
    for (let left = entries; left.length > 0;) {
      for (const { id } of yield * insert.step(left)) added.add(id)
      left = left.filter(({ id }) => !added.has(id))
      // SQLite has one writer.
      if (left.length === 0 || connection.dialect === 'sqlite') break
      const locked = new Set((yield * lock.step(left)).map(({ id }) => id))
      // The rest was removed meanwhile.
      left = left.filter(({ id }) => !locked.has(id))
    }
    return added
  }
}
