import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { queryStep, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import type { Versions } from '../../input/etag.js'
import type { Actor } from '../changes/change.js'
import { parseValues, type Values } from '../changes/history.js'
import type { Recorded, Recording } from '../changes/recording.js'
import { firstVersion } from './customer-record.js'
import { lockNumber } from './lock-number.js'
import { insertStatement, valuesOf } from './statements.js'

/** Why nothing was restored; `other customer`: the number may have another one now. */
type Refusal = 'unknown' | 'version differs' | 'other customer'

/** What happened; `version` is that of a customer that had been removed. */
export type Restored = { outcome: 'changed' | Refusal } | { outcome: 'added', version: number }

/** Rolls the transaction back. */
class NotRestored extends Error {
  readonly outcome: Refusal
  constructor (outcome: Refusal) {
    super(outcome)
    this.outcome = outcome
  }
}

/** Gives a customer the values after a version, in one transaction. Never overwrites a customer who got the number later. */
export function makeRestore (connection: Connection, clock: Pick<Clock, 'now'>, recording: Recording) {
  const insert = insertStatement(recording, 'restored')
  const replace = replaceStatement(recording)

  return async (id: number, version: number, versions: Versions, actor: Actor): Promise<Restored> => {
    try {
      return await connection.transact(() => restore(id, version, versions, actor, clock.now()))
    } catch (error) {
      if (error instanceof NotRestored) return { outcome: error.outcome }
      throw error
    }
  }

  function * restore (id: number, version: number, versions: Versions, actor: Actor, now: Date): Steps<Restored> {
    // From here on no write to this number commits.
    const current = yield * lockNumber(connection, id, now)
    const { seq, values } = yield * findVersion(id, version)
    if (current !== null && (yield * isOther(id, seq))) throw new NotRestored('other customer')
    if (versions !== 'any' && (current === null || !versions.includes(current))) throw new NotRestored('version differs')
    // A random version: ETags of before the removal do not match.
    const customer = { id, ...values, version: firstVersion() }
    const row = recording.row(valuesOf(customer, now), now, actor)
    if (current !== null) {
      yield * replace.step([row])
      return { outcome: 'changed' }
    }
    yield * queryStep(connection, {}, sql`DELETE FROM customer WHERE id = ${id}`)
    yield * insert.step([row])
    return { outcome: 'added', version: customer.version }
  }

  function * findVersion (id: number, version: number): Steps<{ seq: bigint, values: Values }> {
    // A removal has the version of the change before it, whose values it ends.
    const [change] = yield * queryStep(connection, { seq: 'bigint', values: 'string?' }, sql`
      SELECT seq, COALESCE(after, before) FROM customer_change
      WHERE customer_id = ${id} AND version = ${version} AND COALESCE(after, before) IS NOT NULL ORDER BY seq DESC LIMIT 1`)
    const values = parseValues(change?.values ?? null)
    if (change === undefined || values === null) throw new NotRestored('unknown')
    return { seq: change.seq, values }
  }

  /**
   * Whether the current customer may be another one than at a change: the customer was removed since. A restoration after that
   * does not record which customer it restores, and the changes that would show it may have expired.
   */
  function * isOther (id: number, seq: bigint): Steps<boolean> {
    const [removal] = yield * queryStep(connection, { seq: 'bigint' }, sql`
      SELECT seq FROM customer_change WHERE customer_id = ${id} AND kind = 'removed' AND seq >= ${seq} LIMIT 1`)
    return removal !== undefined
  }
}

/** Replaces customers by rows like those of {@link insertStatement}, except for their versions, which are one more. */
function replaceStatement (recording: Recording): Recorded<{ id: 'int' }> {
  return recording.change({
    kind: "'restored'",
    where: 'customer.id = change.column1',
    after: { name: 'change.column2', age: 'change.column4', address: 'change.column5' },
    write: (changes, where) => `
      UPDATE customer SET name = change.column2, name_key = change.column3, age = change.column4, address = change.column5,
        version = customer.version + 1, updated_at = change.column8, name_fold = change.column9, name_words = change.column10,
        address_words = change.column11
      FROM ${changes} WHERE ${where} RETURNING customer.id`,
    types: ['int', 'string', 'string', 'int', 'string', 'int', 'datetime', 'datetime', 'string', 'string', 'string'],
    columns: { id: 'int' }
  })
}
