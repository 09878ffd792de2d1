import type { FieldError } from '@frontdesk/schemas/field-error'
import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { executeStep, newRow, queryStep, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, pick } from '@frontdesk/database/table'
import { transactOr } from '@frontdesk/database/transact-or'
import { importProgress } from '../../generated/tables.js'
import type { Recording } from '../changes/recording.js'
import { newOperationId } from '../operations/advance.js'
import { applyRule, checkRule, isFailure, type Outcome, type Outcomes, type Work } from './apply.js'
import { lockNumbering, type UnnumberedCustomer } from './numbering.js'
import type { ImportRule } from './rule.js'

/** How long progress is kept, in milliseconds. */
const LIFETIME_MS = 24 * 3_600_000

/** Maximum customers in one statement: on SQLite it blocks the thread for about 10 ms. */
export const CHUNK = 128

const PROGRESS = pick(
  importProgress, 'done', 'digest', 'operationId', 'registered', 'updated', 'unchanged', 'failed', 'errors', 'finishedAt'
)

/** The errors of a record. */
export interface LineError {
  line: number
  customerid?: number
  /** Customers that explain the error. */
  customers?: number[]
  /** `field` is empty if the whole line is wrong. */
  errors: FieldError[]
}

/** The stored progress of an import. */
export interface Progress {
  /** Records that were imported or failed. */
  readonly done: number
  /** SHA-256 of these records. */
  readonly digest: string
  readonly operationId: string
  readonly registered: number
  readonly updated: number
  readonly unchanged: number
  readonly failed: number
  /** The first ones. */
  readonly errors: LineError[]
  readonly isFinished: boolean
}

/** The progress to store: an import keeps its operation. */
export type NewProgress = Omit<Progress, 'operationId'>

/** Where an import continues: SHA-256 of the key and the caller, records done, and number of stored errors. */
type Place = Readonly<{ hash: string, done: number, errors: number }>

type Records = readonly UnnumberedCustomer[]

/** Another request continued the import with the same key; this one changed nothing. */
export class ImportOvertaken extends Error {}

export type Imports = ReturnType<typeof openImports>

export function openImports (connection: Connection, clock: Pick<Clock, 'now'>, recording: Recording) {
  const apply = applyRule(connection, recording)
  const check = checkRule(connection)

  return {
    /** Whether an import is an operation that can be undone. */
    areRecorded: recording.hasOperations,

    /** Finds the progress of an import, or begins it. */
    begin: async (hash: string) => await connection.transact(() => begin(connection, hash, clock.now())),

    /** Atomic: imports records, at most {@link CHUNK}, each number once. @throws OperationUndone, NumbersExhausted */
    async add (records: Records, work: Work): Promise<Outcomes> {
      return await connection.transact(() => change(records, work))
    },

    /** Does the same, and stores the progress in the same transaction. @throws ImportOvertaken, OperationUndone, NumbersExhausted */
    async addAndAdvance (records: Records, work: Work, place: Place, next: (outcomes: Outcomes) => NewProgress): Promise<Outcomes> {
      return await connection.transact(function * (): Steps<Outcomes> {
        const outcomes = yield * change(records, work)
        yield * advance(connection, place, next(outcomes), clock.now())
        return outcomes
      })
    },

    /** Imports all records in one transaction, or none if one has an error. @throws ImportOvertaken, OperationUndone, NumbersExhausted */
    async addAll (records: Records, work: Work, place: Place | null, next: (outcomes: Outcomes) => NewProgress): Promise<Outcomes> {
      return await transactOr<Outcomes, Outcomes>(connection, function * (rolledBack) {
        const outcomes = yield * change(records, work)
        if ([...outcomes.values()].some(isFailure)) throw rolledBack(outcomes)
        if (place !== null) yield * advance(connection, place, next(outcomes), clock.now())
        return outcomes
      })
    },

    /** Finds what would become of records. */
    async check (records: Records, rule: ImportRule): Promise<Outcomes> {
      const outcomes: Array<[UnnumberedCustomer, Outcome]> = []
      for (let start = 0; start < records.length; start += CHUNK) {
        outcomes.push(...await connection.transact(() => check(records.slice(start, start + CHUNK), rule)))
      }
      return new Map(outcomes)
    }
  }

  function * change (records: Records, work: Work): Steps<Outcomes> {
    const { actor, rule } = work
    if (records.some(({ id }) => id === null) || (rule.mode === 'upsert' && rule.match === 'name')) yield * lockNumbering(connection)
    const now = clock.now()
    // Sorted as a whole, because two transactions that insert the same ids in different orders would deadlock.
    const sorted = sort(records)
    const outcomes: Array<[UnnumberedCustomer, Outcome]> = []
    for (let start = 0; start < sorted.length; start += CHUNK) {
      outcomes.push(...yield * apply(sorted.slice(start, start + CHUNK), work, now))
    }
    const changed = outcomes.filter(([, { kind }]) => kind === 'registered' || kind === 'updated')
    yield * recording.operation({ kind: 'import', actor, customers: changed.length, now })
    return new Map(outcomes)
  }
}

function * begin (connection: Connection, hash: string, now: Date): Steps<Progress> {
  yield * executeStep(connection, sql`DELETE FROM import_progress WHERE hash = ${hash} AND expires_at <= ${now}`)
  const expiresAt = new Date(now.getTime() + LIFETIME_MS)
  const counts = { done: 0, registered: 0, updated: 0, unchanged: 0, failed: 0 }
  const none = { hash, digest: '', operationId: newOperationId(), ...counts, errors: '[]', finishedAt: null, expiresAt }
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
  const { done, digest, registered, updated, unchanged, failed, errors, isFinished } = progress
  const added = errors.slice(stored)
  const tail = added.length === 0 ? null : `${stored === 0 ? '' : ','}${JSON.stringify(added).slice(1)}`
  // Appends errors: a number that was erased meanwhile must not return.
  const rows = yield * executeStep(connection, sql`
    UPDATE import_progress SET done = ${done}, digest = ${digest}, registered = ${registered}, updated = ${updated},
      unchanged = ${unchanged}, failed = ${failed},
      errors = COALESCE(substr(errors, 1, length(errors) - 1) || ${tail}, errors),
      finished_at = ${isFinished ? now : null}, expires_at = ${new Date(now.getTime() + LIFETIME_MS)}
    WHERE hash = ${hash} AND done = ${before} AND finished_at IS NULL`)
  if (rows === 0) throw new ImportOvertaken('another request continued this import')
}

/** Sorts by number; those that get one are last. */
function sort (records: Records): UnnumberedCustomer[] {
  return records.toSorted((one, other) => (one.id ?? Infinity) - (other.id ?? Infinity) || 0)
}
