import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { executeStep, queryStep, sql } from '@frontdesk/database/sql'
import { pick } from '@frontdesk/database/table'
import { transactOr } from '@frontdesk/database/transact-or'
import { customerChange } from '../../generated/tables.js'
import type { Versions } from '../../input/etag.js'
import type { Actor } from '../changes/change.js'
import type { Recording } from '../changes/recording.js'
import { lockNumber } from './lock-number.js'

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

/** Removes all data about a customer in one transaction, and records the erasure. `unknown`: only an earlier erasure was recorded. */
export function makeErase (connection: Connection, clock: Pick<Clock, 'now'>, recording: Recording) {
  return (id: number, versions: Versions, actor: Actor) => transactOr<Erased, Refusal>(connection, function * (refused) {
    const at = clock.now()
    // From here on, no other write to this number commits, and the statements below see all earlier ones.
    const version = yield * lockNumber(connection, id, at)
    // Before it locks the change feed, because it reads all reports.
    // A string in JSON cannot contain this: its quotes would be escaped.
    const name = `"customerid":${id},`
    const importReports = yield * executeStep(connection, sql`
      UPDATE import_progress SET errors = replace(errors, ${name}, '') WHERE errors LIKE ${`%${name}%`}`)
    // Before the changes, as readers of the change feed do: another order could deadlock.
    yield * executeStep(connection, sql`UPDATE feed_position SET last = last WHERE id = 1`)
    const changes = yield * queryStep(connection, pick(customerChange, 'seq', 'version', 'kind'), sql`
      DELETE FROM customer_change WHERE customer_id = ${id} RETURNING seq, version, kind`)
    yield * executeStep(connection, sql`DELETE FROM customer WHERE id = ${id}`)
    yield * executeStep(connection, sql`DELETE FROM dismissed_pair WHERE lower_id = ${id} OR higher_id = ${id}`)
    const idempotencyKeys = yield * executeStep(connection, sql`DELETE FROM idempotency_key WHERE customer_id = ${id}`)

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
}

/** The last version of a removed customer. */
function newest (changes: ReadonlyArray<{ readonly seq: bigint, readonly version: number }>): number {
  return changes.reduce((last, change) => change.seq > last.seq ? change : last, { seq: -1n, version: 0 }).version
}
