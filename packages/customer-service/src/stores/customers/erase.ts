import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { executeStep, queryStep, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { pick } from '@frontdesk/database/table'
import { transactOr } from '@frontdesk/database/transact-or'
import { customerChange } from '../../generated/tables.js'
import type { Versions } from '../../input/etag.js'
import type { Actor } from '../changes/change.js'
import { MERGED, ofPerson, selectMerged } from '../changes/merged.js'
import type { Recording } from '../changes/recording.js'
import { lockNumber, removePlaceholders } from './lock-number.js'

/** Counts of what was removed. */
export interface Erased {
  readonly outcome: 'erased'
  readonly at: Date
  /** 1, or 0 if the customer was removed before. */
  readonly customers: number
  readonly changes: number
  readonly idempotencyKeys: number
  /** Import reports that contained the number; they remain without it. */
  readonly importReports: number
}

interface Refusal { outcome: 'unknown' | 'version differs' }

/**
 * Removes all data about a customer, and about those that were merged into it, in one transaction, and records the erasure.
 * `unknown`: only an earlier erasure was recorded.
 */
export function makeErase (connection: Connection, clock: Pick<Clock, 'now'>, recording: Recording) {
  const unlock = removePlaceholders(connection)

  return (id: number, versions: Versions, actor: Actor) => transactOr<Erased, Refusal>(connection, function * (refused) {
    const at = clock.now()
    // From here on, no other write to this number commits, and the statements below see all earlier ones.
    const version = yield * lockNumber(connection, id, at)
    // The same person: all of them, although the history has a limit.
    const merged = yield * queryStep(connection, MERGED, selectMerged(id))
    const others = merged.map(({ id }) => id)
    const free = yield * lockFree(others, at)
    // Before it locks the change feed, because it reads all reports.
    let importReports = 0
    for (const number of [id, ...others]) importReports += yield * removeFromReports(connection, number)
    // Before the changes, as readers of the change feed do: another order could deadlock.
    yield * executeStep(connection, sql`UPDATE feed_position SET last = last WHERE id = 1`)
    const changes = yield * queryStep(connection, pick(customerChange, 'seq', 'version', 'kind'), sql`
      DELETE FROM customer_change WHERE customer_id = ${id} RETURNING seq, version, kind`)
    for (const { id, seq } of merged) {
      const removed = yield * queryStep(connection, pick(customerChange, 'seq', 'version', 'kind'), sql`
        DELETE FROM customer_change WHERE customer_id = ${id} AND seq <= ${seq} RETURNING seq, version, kind`)
      changes.push(...removed)
      // Not of another customer that has the number now.
      if (free.includes(id)) yield * recording.erased(id, newest(removed), at, actor)
    }
    yield * executeStep(connection, sql`DELETE FROM customer WHERE id = ${id}`)
    for (const number of [id, ...others]) {
      yield * executeStep(connection, sql`DELETE FROM dismissed_pair WHERE lower_id = ${number} OR higher_id = ${number}`)
    }
    let idempotencyKeys = 0
    for (const condition of ofPerson(id, merged)) {
      idempotencyKeys += yield * executeStep(connection, sql`DELETE FROM idempotency_key WHERE ${condition}`)
    }

    const erased = {
      outcome: 'erased',
      at,
      customers: version === null ? 0 : 1,
      changes: changes.filter(({ kind }) => kind !== 'erased').length,
      idempotencyKeys,
      importReports
    } as const
    if (erased.customers + erased.changes + erased.idempotencyKeys + erased.importReports === 0) throw refused({ outcome: 'unknown' })
    if (versions !== 'any' && (version === null || !versions.includes(version))) throw refused({ outcome: 'version differs' })
    yield * recording.erased(id, version ?? newest(changes), at, actor)
    return erased
  })

  /** Locks numbers, and finds those that no customer has. */
  function * lockFree (ids: readonly number[], now: Date): Steps<number[]> {
    const free: number[] = []
    for (const id of ids) if ((yield * lockNumber(connection, id, now)) === null) free.push(id)
    yield * unlock(ids)
    return free
  }
}

/** Removes a number from import reports. Returns how many had it. */
function * removeFromReports (connection: Connection, id: number): Steps<number> {
  // A string in JSON cannot contain this: its quotes would be escaped. `customers` has one number or two.
  const [name, first, only, last] = [`"customerid":${id},`, `"customers":[${id},`, `"customers":[${id}]`, `,${id}],"errors":`]
  return yield * executeStep(connection, sql`
    UPDATE import_progress SET errors = replace(replace(replace(replace(
      errors, ${name}, ''), ${first}, '"customers":['), ${only}, '"customers":[]'), ${last}, '],"errors":')
    WHERE errors LIKE ${`%${name}%`} OR errors LIKE ${`%${first}%`} OR errors LIKE ${`%${only}%`} OR errors LIKE ${`%${last}%`}`)
}

/** The last version of a removed customer. */
function newest (changes: ReadonlyArray<{ readonly seq: bigint, readonly version: number }>): number {
  return changes.reduce((last, change) => change.seq > last.seq ? change : last, { seq: -1n, version: 0 }).version
}
