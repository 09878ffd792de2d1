import type { Connection } from '@frontdesk/database/connection'
import type { Steps } from '@frontdesk/database/steps'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import type { Recording } from '../changes/recording.js'
import { insertStatement } from './statements.js'

/**
 * Inserts the customers whose ids are free, as a step of a transaction that stores which are taken; returns the ids of those
 * that were free. Locks the others until it ends: an erasure waits, and then removes what was stored.
 */
export function insertOrLock (connection: Connection, recording: Recording) {
  const insert = insertStatement(recording)
  // In the order of the ids, as they are inserted: otherwise, two transactions could deadlock.
  const lock = new ValuesStatement(connection, list => `SELECT id FROM customer WHERE id IN (${list}) ORDER BY id FOR SHARE`, ['int'], { id: 'int' })

  /** @param rows of {@link insertStatement}, sorted by id */
  return function * (rows: ReadonlyArray<readonly unknown[]>): Steps<Set<unknown>> {
    const added = new Set<unknown>()
    for (let left = rows; left.length > 0;) {
      for (const { id } of yield * insert.step(left)) added.add(id)
      left = left.filter(([id]) => !added.has(id))
      // SQLite has one writer.
      if (left.length === 0 || connection.dialect === 'sqlite') break
      const locked = new Set<unknown>((yield * lock.step(left.map(([id]) => [id]))).map(({ id }) => id))
      // Those that were removed meanwhile are free now.
      left = left.filter(([id]) => !locked.has(id))
    }
    return added
  }
}
