import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { executeStep, newRow, query, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, pick } from '@frontdesk/database/table'
import { createHash } from 'node:crypto'
import { customerChange, operation } from '../../generated/tables.js'
import type { Actor } from '../changes/change.js'
import { newOperationId, operationId, UNDOES_NOTHING } from './advance.js'
import type { AppSince, Selection } from './selection.js'

/** Maximum customers in one transaction: on SQLite, it blocks the thread for about 10 ms. */
const CHUNK = 64

/** Maximum changes that are read to find the customers of a transaction. */
const MAX_READ = 1_000

/** How much earlier a change can be than one with a lower `seq`: its transaction waited, or another process recorded it. */
export const MARGIN_MS = 60_000

const TARGET = pick(operation, 'customers', 'undone', 'isWhole')

/** The changes to undo. */
export interface Undo {
  readonly selection: Selection
  /** `seq` of the last change that is looked at. */
  readonly end: bigint
  /** Customers that the changes concern, as far as they are counted. */
  readonly customers: number
  /** Whether all customers are reverted or none: the two of a merge. */
  readonly isWhole: boolean
}

/** Customers whose changes are undone together. `last`: the `seq` of their last change to undo; `null`: there are no more. */
export interface Batch {
  readonly ids: readonly number[]
  readonly selection: Selection
  /** The `last` of the batch before. */
  readonly after: bigint
  readonly last: bigint | null
  readonly isWhole: boolean
}

/** Opens the search for the changes to undo. */
export function openTargets (connection: Connection, clock: Pick<Clock, 'now'>) {
  return {
    /** Finds what an undo of an operation would do; `null`: the operation is unknown. */
    async find (operationId: string): Promise<Undo | null> {
      const [target] = await query(connection, TARGET, sql`SELECT ${raw(columnNames(TARGET))} FROM operation WHERE id = ${operationId}`)
      return target === undefined ? null : await undoOf(operationId, target)
    },

    /**
     * Begins to undo an operation, or continues; `null`: the operation is unknown. Atomic: from here on, the operation changes
     * nothing more, and all callers share one undo.
     */
    async begin (operationId: string, actor: Actor): Promise<Undo | null> {
      const target = await connection.transact(function * (): Steps<Row<typeof TARGET> | null> {
        const [target] = yield * queryStep(connection, TARGET, sql`
          UPDATE operation SET undone = COALESCE(undone, ${newOperationId()}) WHERE id = ${operationId}
          RETURNING ${raw(columnNames(TARGET))}`)
        if (target === undefined || target.undone === null) return null
        yield * addUndo(target.undone, actor, { undoes: operationId, isWhole: target.isWhole })
        return target
      })
      return target === null ? null : await undoOf(operationId, target)
    },

    /** Finds what an undo of an app's changes since a time would do. */
    async findOfApp (app: AppSince): Promise<Undo> {
      return await undoOfApp(app, null)
    },

    /** Begins to undo an app's changes since a time, or continues: all callers share the undo of an app since a time. */
    async beginOfApp (app: AppSince, actor: Actor): Promise<Undo> {
      const hash = createHash('sha256').update(JSON.stringify([app.clientId, app.since])).digest()
      const id = operationId(hash)
      await connection.transact(() => addUndo(id, actor, { undoesClientId: app.clientId, undoesSince: app.since }))
      return await undoOfApp(app, id)
    },

    /** Finds the next customers. @param after the `last` of the batch before */
    async findNext ({ selection, end, customers, isWhole }: Undo, after: bigint): Promise<Batch> {
      const row = { ...pick(customerChange, 'seq', 'customerId'), isSelected: 'boolean' } as const
      const { operationId, clientId, since } = selection
      const [isSelected, where] = operationId === null
        ? [sql`COALESCE(client_id = ${clientId} AND at >= ${since}, false)`, raw('true')]
        : [raw('true'), sql`operation_id = ${operationId}`]
      const changes = await query(connection, row, sql`
        SELECT seq, customer_id, ${isSelected} FROM customer_change WHERE ${where} AND seq > ${after} AND seq <= ${end}
        ORDER BY seq LIMIT ${operationId === null ? MAX_READ : CHUNK}`)
      const selected = changes.filter(({ isSelected }) => isSelected).slice(0, CHUNK)
      const ids = [...new Set(selected.map(({ customerId }) => customerId))]
      // If one of the customers was erased, the others stay as they are.
      if (isWhole && ids.length < customers) return { ids, selection, after, last: null, isWhole }
      const last = selected.length === CHUNK ? selected.at(-1) : changes.at(-1)
      return { ids, selection, after, last: last?.seq ?? null, isWhole }
    }
  }

  function * addUndo (id: string, { sub, clientId, requestId }: Actor, of: Partial<Row<typeof operation.columns>>): Steps<void> {
    const by = { at: clock.now(), sub, clientId, requestId }
    const undo = { id, kind: 'undo', ...by, customers: 0, undone: null, isWhole: false, ...UNDOES_NOTHING, ...of }
    yield * executeStep(connection, sql`INSERT INTO operation ${newRow(operation.columns, undo)} ON CONFLICT (id) DO NOTHING`)
  }

  async function undoOf (operationId: string, { customers, undone, isWhole }: Row<typeof TARGET>): Promise<Undo> {
    const { first, last } = await findEnds(sql`WHERE operation_id = ${operationId}`)
    const selection = { operationId, undoId: undone, clientId: null, since: null, start: first }
    return { selection, end: last, customers, isWhole }
  }

  async function undoOfApp (app: AppSince, id: string | null): Promise<Undo> {
    const { start, end } = await findSince(app.since)
    return { selection: { operationId: null, undoId: id, ...app, start }, end, customers: 0, isWhole: false }
  }

  /** Finds where the changes since a time begin, by binary search in the primary key: no index has the times of all changes. */
  async function findSince (since: Date): Promise<{ start: bigint, end: bigint }> {
    const { first, last } = await findEnds(raw(''))
    const early = new Date(since.getTime() - MARGIN_MS)
    let [low, high] = [first, last + 1n]
    while (low < high) {
      const middle = (low + high) / 2n
      const [change] = await query(connection, pick(customerChange, 'seq', 'at'), sql`
        SELECT seq, at FROM customer_change WHERE seq >= ${middle} ORDER BY seq LIMIT 1`)
      if (change !== undefined && change.at < early) low = change.seq + 1n
      else high = middle
    }
    return { start: low, end: last }
  }

  /** The first and the last `seq` of changes; of none, 1 and 0. */
  async function findEnds (where: Sql) {
    // Each by itself: SQLite finds only one of them by an index in the same SELECT.
    const [ends] = await query(connection, { first: 'bigint', last: 'bigint' }, sql`
      SELECT COALESCE((SELECT MIN(seq) FROM customer_change ${where}), 1), COALESCE((SELECT MAX(seq) FROM customer_change ${where}), 0)`)
    return ends ?? { first: 1n, last: 0n }
  }
}
