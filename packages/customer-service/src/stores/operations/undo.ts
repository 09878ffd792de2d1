import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { executeStep, newRow, query, queryStep, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, pick } from '@frontdesk/database/table'
import { customer, customerChange, operation } from '../../generated/tables.js'
import type { Actor } from '../changes/change.js'
import type { Values } from '../changes/history.js'
import type { Recording } from '../changes/recording.js'
import { firstVersion } from '../customers/customer-record.js'
import { insertStatement, newEntry } from '../customers/insertion.js'
import { lockNumbers, removePlaceholders } from '../customers/lock-number.js'
import { mergedRemoval } from '../customers/merge.js'
import { replaceStatement } from '../customers/restore.js'
import { removal } from '../customers/statements.js'
import { newOperationId, type OperationActor } from './advance.js'
import { examineStatement, type Examined, type Selection } from './examine.js'
import { decide, valuesBefore, type Decision } from './revertible.js'

/** Maximum customers in one transaction: on SQLite, it blocks the thread for about 10 ms. */
const CHUNK = 64

const TARGET = pick(operation, 'customers', 'undone', 'isWhole')

/** The changes to undo. */
export interface Undo {
  readonly selection: Selection
  /** Customers that the changes concern, as far as they are counted. */
  readonly customers: number
  /** Whether all customers are reverted or none: the two of a merge. */
  readonly isWhole: boolean
}

/** Customers whose changes are undone together. `last`: the `seq` of their last change to undo; `null`: there are no more. */
export interface Batch {
  readonly ids: readonly number[]
  readonly selection: Selection
  readonly last: bigint | null
  readonly isWhole: boolean
}

/** The decision about each customer. */
export type Decisions = ReadonlyArray<Decision & { readonly id: number }>

/** Opens the undo of operations. */
export function openUndo (connection: Connection, clock: Pick<Clock, 'now'>, recording: Recording) {
  const examine = examineStatement(connection)
  const lock = lockNumbers(connection)
  const unlock = removePlaceholders(connection)
  const remove = removal(connection, recording, pick(customer, 'id'))
  const replace = replaceStatement(recording)
  const removeMerged = mergedRemoval(connection, recording)
  const insert = insertStatement(recording, 'restored')

  return {
    /** Finds what an undo of an operation would do; `null`: the operation is unknown. */
    async find (operationId: string): Promise<Undo | null> {
      const [target] = await query(connection, TARGET, sql`SELECT ${raw(columnNames(TARGET))} FROM operation WHERE id = ${operationId}`)
      return target === undefined ? null : undoOf(operationId, target)
    },

    /**
     * Begins to undo an operation, or continues; `null`: the operation is unknown. Atomic: from here on, the operation changes
     * nothing more, and all callers share one undo.
     */
    async begin (operationId: string, actor: Actor): Promise<Undo | null> {
      return await connection.transact(function * (): Steps<Undo | null> {
        const [target] = yield * queryStep(connection, TARGET, sql`
          UPDATE operation SET undone = COALESCE(undone, ${newOperationId()}) WHERE id = ${operationId}
          RETURNING ${raw(columnNames(TARGET))}`)
        if (target === undefined || target.undone === null) return null
        const { sub, clientId, requestId } = actor
        const undo = {
          id: target.undone,
          kind: 'undo',
          at: clock.now(),
          sub,
          clientId,
          requestId,
          customers: 0,
          undoes: operationId,
          undone: null,
          isWhole: target.isWhole
        }
        yield * executeStep(connection, sql`INSERT INTO operation ${newRow(operation.columns, undo)} ON CONFLICT (id) DO NOTHING`)
        return undoOf(operationId, target)
      })
    },

    /** Finds the next customers. @param after the `last` of the batch before */
    async findNext ({ selection, customers, isWhole }: Undo, after: bigint): Promise<Batch> {
      const row = pick(customerChange, 'seq', 'customerId')
      const changes = await query(connection, row, sql`
        SELECT seq, customer_id FROM customer_change WHERE operation_id = ${selection.operationId} AND seq > ${after}
        ORDER BY seq LIMIT ${CHUNK}`)
      const ids = [...new Set(changes.map(({ customerId }) => customerId))]
      // If one of the customers was erased, the others stay as they are.
      const last = isWhole && ids.length < customers ? null : changes.at(-1)?.seq ?? null
      return { ids, selection: { ...selection, start: after + 1n }, last, isWhole }
    },

    /** Decides about customers without changing them. */
    async check ({ ids, selection, isWhole }: Batch): Promise<Decisions> {
      return decideAll(await examine.run(ids.map(id => ({ id, ...selection }))), isWhole)
    },

    /** Undoes the changes of customers, in one transaction. @param actor `operationId`: of the undo @throws OperationUndone */
    async revert ({ ids, selection, isWhole }: Batch, actor: OperationActor): Promise<Decisions> {
      const sorted = ids.toSorted((one, other) => one - other)
      return await connection.transact(function * (): Steps<Decisions> {
        const now = clock.now()
        // From here on, no other write to these numbers commits, and the statements below see all earlier ones.
        yield * lock(sorted, now)
        const examined = yield * examine.step(sorted.map(id => ({ id, ...selection })))
        const decisions = decideAll(examined, isWhole)
        yield * unlock(sorted)
        const isThere = new Set(examined.filter(({ version }) => version !== null).map(({ id }) => id))
        const reverts = decisions.flatMap(it => it.outcome === 'revert' ? [it] : [])
        const gone = reverts.filter(({ to }) => to === null).map(({ id }) => ({ id, at: now, ...actor }))
        if (!isWhole) yield * remove.step(gone)
        // An undo of an undo merges the customer again. !: into the other one of the two.
        else for (const it of gone) yield * removeMerged(it, sorted.find(id => id !== it.id)!)
        const entries = reverts.flatMap(({ id, to }) => to === null ? [] : [entryOf(id, to, now)])
        yield * replace.step(entries.filter(({ id }) => isThere.has(id)))
        yield * insert.step(entries.filter(({ id }) => !isThere.has(id)))
        yield * recording.operation({ kind: 'undo', actor, customers: reverts.length, now })
        return decisions
      })

      /** With a random version, so that ETags from before a removal do not match. */
      function entryOf (id: number, values: Values, now: Date) {
        return newEntry({ id, ...values, version: firstVersion() }, now, actor)
      }
    }
  }
}

function undoOf (operationId: string, { customers, undone, isWhole }: Row<typeof TARGET>): Undo {
  return { selection: { operationId, undoId: undone, start: 0n }, customers, isWhole }
}

function decideAll (examined: readonly Examined[], isWhole: boolean): Decisions {
  const decisions = examined.map(it => ({ id: it.id, ...decide(it) }))
  if (!isWhole) return decisions
  const skipped = decisions.find(({ outcome }) => outcome === 'skip')
  if (skipped !== undefined) return decisions.map(it => it.outcome === 'revert' ? { ...skipped, id: it.id } : it)
  // Both are recorded, even one with the same values, because an undo of this undo needs both.
  const isDone = decisions.every(({ outcome }) => outcome === 'reverted')
  return isDone ? decisions : examined.map(it => ({ id: it.id, outcome: 'revert', to: valuesBefore(it) }))
}
