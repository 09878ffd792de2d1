import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { executeStep, queryStep, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { pick, setColumns } from '@frontdesk/database/table'
import { transactOr } from '@frontdesk/database/transact-or'
import { customer, customerChange } from '../../generated/tables.js'
import type { Versions } from '../../input/etag.js'
import type { Actor } from '../changes/change.js'
import { parseValues, type Values } from '../changes/history.js'
import type { Recording } from '../changes/recording.js'
import { firstVersion } from './customer-record.js'
import { lockNumber } from './lock-number.js'
import { insertStatement, newEntry } from './insertion.js'

/** Why nothing was restored; `other customer`: the number may belong to another one now; `exists`: only a removed customer was wanted. */
interface Refusal { outcome: 'unknown' | 'version differs' | 'other customer' | 'exists' }

/** `added`: the customer had been removed. */
export type Restored = Refusal | { outcome: 'changed' } | { outcome: 'added', version: number }

/** Restores a customer's values after a version, in one transaction. Never overwrites a later customer with the number. */
export function makeRestore (connection: Connection, clock: Pick<Clock, 'now'>, recording: Recording) {
  const insert = insertStatement(recording, 'restored')
  const replace = replaceStatement(recording)

  return (
    id: number, version: number, versions: Versions | 'removed', actor: Actor
  ) => transactOr<Restored, Refusal>(connection, function * (refused) {
    const now = clock.now()
    // From here on, no other write to this number commits.
    const current = yield * lockNumber(connection, id, now)
    const found = yield * findVersion(id, version)
    if (found === null) throw refused({ outcome: 'unknown' })
    const { seq, values } = found
    if (current !== null && (yield * isOther(id, seq))) throw refused({ outcome: 'other customer' })
    if (versions === 'removed' && current !== null) throw refused({ outcome: 'exists' })
    if (Array.isArray(versions) && (current === null || !versions.includes(current))) throw refused({ outcome: 'version differs' })
    // With a random version, so that ETags from before the removal do not match.
    const restored = { id, ...values, version: firstVersion() }
    const entry = newEntry(restored, now, actor)
    if (current !== null) {
      yield * replace.step([entry])
      return { outcome: 'changed' }
    }
    yield * executeStep(connection, sql`DELETE FROM customer WHERE id = ${id}`)
    yield * insert.step([entry])
    return { outcome: 'added', version: restored.version }
  })

  function * findVersion (id: number, version: number): Steps<{ seq: bigint, values: Values } | null> {
    // A removal has the version, and the values, of the change before it.
    const [change] = yield * queryStep(connection, { ...pick(customerChange, 'seq'), values: 'string?' }, sql`
      SELECT seq, COALESCE(after, before) FROM customer_change
      WHERE customer_id = ${id} AND version = ${version} AND COALESCE(after, before) IS NOT NULL ORDER BY seq DESC LIMIT 1`)
    const values = parseValues(change?.values ?? null)
    return change === undefined || values === null ? null : { seq: change.seq, values }
  }

  /**
   * Whether the current customer may differ from the one at a change: it was removed or merged since. If it was then restored, no record
   * shows which customer that was: the changes may have expired.
   */
  function * isOther (id: number, seq: bigint): Steps<boolean> {
    const [removal] = yield * queryStep(connection, pick(customerChange, 'seq'), sql`
      SELECT seq FROM customer_change WHERE customer_id = ${id} AND kind IN ('removed', 'merged') AND seq >= ${seq} LIMIT 1`)
    return removal !== undefined
  }
}

/** A statement that replaces customers with entries of {@link insertStatement}, and increments their versions. */
export function replaceStatement (recording: Recording, kind: 'restored' | 'updated' = 'restored') {
  const values = pick(customer, 'name', 'nameKey', 'age', 'address', 'updatedAt', 'nameFold', 'nameWords', 'addressWords')
  return recording.change({
    kind: `'${kind}'`,
    where: 'customer.id = entry.id',
    after: { name: 'entry.name', age: 'entry.age', address: 'entry.address' },
    entry: { ...pick(customer, 'id'), ...values },
    sql: (entries, where) => `
      UPDATE customer SET ${setColumns(values)}, version = customer.version + 1 FROM ${entries} WHERE ${where} RETURNING customer.id`,
    row: pick(customer, 'id')
  })
}
