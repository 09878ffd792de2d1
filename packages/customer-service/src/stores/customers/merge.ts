import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { executeStep, queryStep, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, pick } from '@frontdesk/database/table'
import { customer } from '../../generated/tables.js'
import type { Versions } from '../../input/etag.js'
import type { Actor } from '../changes/change.js'
import type { Recording } from '../changes/recording.js'
import { newOperationId, type OperationActor } from '../operations/advance.js'
import type { Change } from './customer-record.js'
import { newEntry } from './insertion.js'
import { lockNumbers, removePlaceholders } from './lock-number.js'
import { replaceStatement } from './restore.js'
import { removal } from './statements.js'

const CURRENT = pick(customer, 'id', 'version', 'name', 'age', 'address')

/** A customer, and the versions that it must have. */
interface Target { readonly id: number, readonly versions: Versions }

/** `from` is merged into `into`, which gets these values. */
export interface Merge { readonly into: Target, readonly from: Target, readonly values: Change }

/** `id`: the customer that is not as it must be. */
interface Refusal { readonly outcome: 'unknown' | 'version differs', readonly id: number }

/** `operationId`: `null` if operations are not recorded. `version`: of the customer that stays. */
export type Merged = Refusal | { readonly outcome: 'merged', readonly operationId: string | null, readonly version: number }

/** Merges a customer into another one, in one transaction: the one stays and the other goes. */
export function makeMerge (connection: Connection, clock: Pick<Clock, 'now'>, recording: Recording) {
  const lock = lockNumbers(connection)
  const unlock = removePlaceholders(connection)
  const replace = replaceStatement(recording, 'updated')
  const removeMerged = mergedRemoval(connection, recording)

  return async ({ into, from, values }: Merge, actor: Actor) => await connection.transact(function * (): Steps<Merged> {
    const now = clock.now()
    const ids = [into.id, from.id].sort((one, other) => one - other)
    // From here on, no other write to these numbers commits.
    yield * lock(ids, now)
    yield * unlock(ids)
    const rows = yield * queryStep(connection, CURRENT, sql`
      SELECT ${raw(columnNames(CURRENT))} FROM customer WHERE id IN (${into.id}, ${from.id})`)
    for (const { id, versions } of [into, from]) {
      const row = rows.find(it => it.id === id)
      if (row === undefined) return { outcome: 'unknown', id }
      if (versions !== 'any' && !versions.includes(row.version)) return { outcome: 'version differs', id }
    }
    // !: found above.
    const current = rows.find(({ id }) => id === into.id)!
    const operationId = newOperationId()
    const by = { ...actor, operationId }
    yield * removeMerged({ id: from.id, at: now, ...by }, into.id)
    yield * replace.step([newEntry({ ...current, ...values }, now, by)])
    yield * recording.operation({ kind: 'merge', actor: by, customers: 2, now })
    return { outcome: 'merged', operationId: recording.hasOperations ? operationId : null, version: current.version + 1 }
  })
}

/** A step that removes a customer whose number is locked, because it was merged into another one. */
export function mergedRemoval (connection: Connection, recording: Recording) {
  const remove = removal(connection, recording, pick(customer, 'id'), 'merged')
  return function * (entry: OperationActor & { readonly id: number, readonly at: Date }, successor: number): Steps<void> {
    yield * remove.step([entry])
    // The last change of a locked number is that of the statement before.
    yield * executeStep(connection, sql`
      UPDATE customer_change SET successor = ${successor} WHERE seq = (SELECT MAX(seq) FROM customer_change WHERE customer_id = ${entry.id})
        AND kind = 'merged' AND operation_id = ${entry.operationId}`)
  }
}
