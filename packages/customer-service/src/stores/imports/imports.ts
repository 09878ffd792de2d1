import type { FieldError } from '@frontdesk/schemas/field-error'
import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { executeStep, newRow, queryStep, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { listStatement } from '@frontdesk/database/list-statement'
import { columnNames, pick } from '@frontdesk/database/table'
import { transactOr } from '@frontdesk/database/transact-or'
import { customer, importProgress } from '../../generated/tables.js'
import type { Recording } from '../changes/recording.js'
import { firstVersion, type NewCustomer } from '../customers/customer-record.js'
import { insertOrLock, insertStatement, newEntry } from '../customers/insertion.js'
import { newOperationId, type OperationActor } from '../operations/advance.js'
import { insertNumbered, type UnnumberedCustomer } from './numbering.js'

/** How long progress is kept, in milliseconds. */
const LIFETIME_MS = 24 * 3_600_000

/** Maximum customers in one statement: on SQLite it blocks the thread for about 10 ms. */
export const CHUNK = 128

const PROGRESS = pick(importProgress, 'done', 'digest', 'operationId', 'registered', 'failed', 'errors', 'finishedAt')

/** The errors of a record. */
export interface LineError {
  line: number
  customerid?: number
  /** `field` is empty if the whole line is wrong. */
  errors: FieldError[]
}

/** The stored progress of an import. */
export interface Progress {
  /** Records that were registered or failed. */
  readonly done: number
  /** SHA-256 of these records. */
  readonly digest: string
  readonly operationId: string
  readonly registered: number
  readonly failed: number
  /** The first ones. */
  readonly errors: LineError[]
  readonly isFinished: boolean
}

/** The progress to store: an import keeps its operation. */
export type NewProgress = Omit<Progress, 'operationId'>

/** Where an import continues: SHA-256 of the key and the caller, records done, and number of stored errors. */
type Place = Readonly<{ hash: string, done: number, errors: number }>

/** Another request continued the import with the same key; this one changed nothing. */
export class ImportOvertaken extends Error {}

export type Imports = ReturnType<typeof openImports>

export function openImports (connection: Connection, clock: Pick<Clock, 'now'>, recording: Recording) {
  const insert = insertStatement(recording)
  const insertWithReport = insertOrLock(connection, recording)
  const find = listStatement(connection, {
    entry: pick(customer, 'id'),
    sql: entries => `SELECT id FROM customer WHERE id IN (SELECT entry.id FROM ${entries})`,
    row: pick(customer, 'id')
  })

  return {
    /** Whether an import is an operation that can be undone. */
    areRecorded: recording.hasOperations,

    /** Finds the progress of an import, or begins it. */
    begin: async (hash: string) => await connection.transact(() => begin(connection, hash, clock.now())),

    /** Atomic: adds the customers whose ids are free, at most {@link CHUNK}; returns the ids in use. @throws OperationUndone */
    async add (customers: readonly UnnumberedCustomer[], actor: OperationActor) {
      return await connection.transact(function * (): Steps<Set<number>> {
        const { added, taken } = yield * insertNumbered(connection, customers, customers => insertFree(customers, actor))
        yield * recording.operation({ kind: 'import', actor, customers: added, now: clock.now() })
        return taken
      })
    },

    /** Does the same, and stores the progress in the same transaction. @throws ImportOvertaken, OperationUndone */
    async addAndAdvance (
      customers: readonly UnnumberedCustomer[], actor: OperationActor, place: Place, next: (taken: Set<number>) => NewProgress
    ) {
      return await connection.transact(function * (): Steps<Set<number>> {
        const { added, taken } = yield * insertNumbered(connection, customers, it => insertWithReport(createEntries(it, actor)))
        yield * recording.operation({ kind: 'import', actor, customers: added, now: clock.now() })
        yield * advance(connection, place, next(taken), clock.now())
        return taken
      })
    },

    /** Adds all customers in one transaction, or none if ids are in use; returns these. @throws ImportOvertaken */
    async addAll (customers: readonly UnnumberedCustomer[], actor: OperationActor, place: Place | null, next: () => NewProgress) {
      // Sorted as a whole, because two transactions that insert the same ids in different orders would deadlock.
      const sorted = sort(customers)
      return await transactOr<Set<number>, Set<number>>(connection, function * (rolledBack) {
        const { taken } = yield * insertNumbered(connection, sorted, it => insertFree(it, actor))
        if (taken.size > 0) throw rolledBack(taken)
        yield * recording.operation({ kind: 'import', actor, customers: sorted.length, now: clock.now() })
        if (place !== null) yield * advance(connection, place, next(), clock.now())
        return taken
      })
    },

    /** Finds which ids are in use. */
    async findTaken (ids: readonly number[]) {
      const taken = new Set<number>()
      for (let start = 0; start < ids.length; start += CHUNK) {
        for (const { id } of await find.run(ids.slice(start, start + CHUNK).map(id => ({ id })))) taken.add(id)
      }
      return taken
    }
  }

  function * insertFree (customers: readonly NewCustomer[], actor: OperationActor): Steps<Set<number>> {
    const added = new Set<number>()
    for (let start = 0; start < customers.length; start += CHUNK) {
      for (const { id } of yield * insert.step(createEntries(customers.slice(start, start + CHUNK), actor))) added.add(id)
    }
    return added
  }

  function createEntries (customers: readonly NewCustomer[], actor: OperationActor) {
    const now = clock.now()
    return sort(customers).map(customer => newEntry({ ...customer, version: firstVersion() }, now, actor))
  }
}

function * begin (connection: Connection, hash: string, now: Date): Steps<Progress> {
  yield * executeStep(connection, sql`DELETE FROM import_progress WHERE hash = ${hash} AND expires_at <= ${now}`)
  const expiresAt = new Date(now.getTime() + LIFETIME_MS)
  const none = { hash, done: 0, digest: '', operationId: newOperationId(), registered: 0, failed: 0, errors: '[]', finishedAt: null, expiresAt }
  yield * executeStep(connection, sql`INSERT INTO import_progress ${newRow(importProgress.columns, none)} ON CONFLICT (hash) DO NOTHING`)
  // !: inserted above.
  const { finishedAt, errors, ...found } = (yield * queryStep(
    connection, PROGRESS, sql`SELECT ${raw(columnNames(PROGRESS))} FROM import_progress WHERE hash = ${hash}`
  ))[0]!
  // as: written below.
  return { ...found, errors: JSON.parse(errors) as LineError[], isFinished: finishedAt !== null }
}

/** Stores progress. Its condition decides which of two imports with a key continues. */
function * advance (
  connection: Connection, { hash, done: before, errors: stored }: Place, progress: NewProgress, now: Date
): Steps<void> {
  const { done, digest, registered, failed, errors, isFinished } = progress
  const added = errors.slice(stored)
  const tail = added.length === 0 ? null : `${stored === 0 ? '' : ','}${JSON.stringify(added).slice(1)}`
  // Appends errors: a number that was erased meanwhile must not return.
  const rows = yield * executeStep(connection, sql`
    UPDATE import_progress SET done = ${done}, digest = ${digest}, registered = ${registered}, failed = ${failed},
      errors = COALESCE(substr(errors, 1, length(errors) - 1) || ${tail}, errors), finished_at = ${isFinished ? now : null}, expires_at = ${new Date(now.getTime() + LIFETIME_MS)}
    WHERE hash = ${hash} AND done = ${before} AND finished_at IS NULL`)
  if (rows === 0) throw new ImportOvertaken('another request continued this import')
}

/** Sorts by number; those that get one are last. */
function sort<C extends UnnumberedCustomer> (customers: readonly C[]): C[] {
  return customers.toSorted((one, other) => (one.id ?? Infinity) - (other.id ?? Infinity) || 0)
}
