import { createHash } from 'node:crypto'
import type { Actor } from '../../stores/changes/change.js'
import type { NewCustomer } from '../../stores/customers/customer-record.js'
import { CHUNK, type Imports, type LineError, type Progress } from '../../stores/imports/imports.js'
import { UnreadableFile } from '../../input/import/unreadable.js'
import { idempotencyKeyReused } from '../../problems/idempotency.js'
import { fileTooLong, fileUnreadable } from '../../problems/import.js'
import { ProblemError } from '../../problems/define.js'
import { doubtsOf } from '../doubts.js'
import { NumberSet } from './number-set.js'
import type { ImportRecord } from './records.js'
import type { ImportReport } from './report.js'

/** Errors in a report, at most. */
const MAX_ERRORS = 1_000
/** Records of a file that is imported as a whole, at most: they are in one transaction. */
export const MAX_TOGETHER = 2_000
/** Records after which progress is stored, even if most failed. */
const MAX_UNCOMMITTED = 10 * CHUNK
/** Identifiers that are remembered to find repeated ones, at most: 8 MB. */
export const MAX_SEEN = 1_000_000

/** How a file is imported. */
export interface ImportOptions {
  readonly mode: 'best-effort' | 'all-or-nothing'
  readonly dryRun: boolean
  /** SHA-256 of the key and the caller; `null` without a key. */
  readonly hash: string | null
  /** Rejects if the caller may no longer import. */
  readonly recheck: () => Promise<void>
}

const TAKEN = [{ field: 'customerid', detail: 'Is already in use by another customer.' }]
const REPEATED = [{ field: 'customerid', detail: 'Is in the file more than once.' }]

/**
 * Imports records in chunks, in the order of the file. With a key, continues after the last chunk that an earlier request
 * with it has committed.
 * @throws ProblemError `file-unreadable`, `file-too-long`, `idempotency-key-reused`, and those of `records` and `recheck`, with a report
 * @throws ImportOvertaken
 */
export async function runImport (
  records: AsyncIterable<ImportRecord>,
  imports: Imports,
  actor: Actor,
  { mode, dryRun, hash, recheck }: ImportOptions
): Promise<{ report: ImportReport, isReplay: boolean }> {
  const isTogether = mode === 'all-or-nothing'
  const before = hash === null || dryRun ? null : await imports.begin(hash)
  const digest = createHash('sha256').update(JSON.stringify([hash, mode]))
  const seen = new NumberSet(MAX_SEEN)
  let [done, lines, registered, failed] = [before?.done ?? 0, 0, before?.registered ?? 0, before?.failed ?? 0]
  let errors: LineError[] = [...before?.errors ?? []]
  let warned = 0
  const warnings: LineError[] = []
  let chunk: Array<{ line: number, customer: NewCustomer }> = []
  let isKnown = done === 0
  let storedErrors = errors.length

  try {
    for await (const record of reported(records)) {
      lines++
      if (isTogether && lines > MAX_TOGETHER) {
        throw fileTooLong(`The file has more than ${MAX_TOGETHER} records. Nothing was registered. Import it with mode=best-effort, or in parts.`)
      }
      if (hash !== null) digest.update(JSON.stringify(record))
      const checked = findRepeated(record)
      if (lines <= done) {
        if (lines === done) assertSame()
        continue
      }
      if (before?.isFinished === true) throw otherFile()
      if ('errors' in checked) fail(checked)
      else chunk.push(checked)
      if (!isTogether && (chunk.length === CHUNK || lines - done === MAX_UNCOMMITTED)) await commit(false)
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    // The records before it are imported by the same rules: the report counts all of them.
    if (!isTogether && isKnown) await commit(false)
    if (isTogether) registered = 0
    throw fileUnreadable(`${error.message}${dryRun || registered === 0 ? ' Nothing was registered.' : ' The records before it were imported: see report.'}`, {
      cause: error, members: { report: report() }
    })
  }
  if (!isKnown) throw otherFile()
  if (before?.isFinished !== true) await commit(true)
  return { report: report(), isReplay: before?.isFinished === true }

  function findRepeated (record: ImportRecord): ImportRecord {
    if ('errors' in record) return record
    const { line, customer: { id } } = record
    // After the numbers that are remembered, two in one statement would both be recorded as registered.
    const isRepeated = seen.addOrFind(id) || chunk.some(({ customer }) => customer.id === id)
    return isRepeated ? { line, customerid: id, errors: REPEATED } : record
  }

  function assertSame () {
    isKnown = digest.copy().digest('base64url') === before?.digest
    if (!isKnown) throw otherFile()
  }

  function fail (error: LineError) {
    failed++
    if (errors.length < MAX_ERRORS) errors.push(error)
  }

  function warn (warning: LineError) {
    if (warning.errors.length === 0) return
    warned++
    if (warnings.length < MAX_ERRORS) warnings.push(warning)
  }

  /** Counts what became of the chunk. */
  function settle (taken: Set<number>) {
    for (const { line, customer } of chunk) {
      const { id } = customer
      if (taken.has(id)) fail({ line, customerid: id, errors: TAKEN })
      else {
        registered++
        if (dryRun) warn({ line, customerid: id, errors: doubtsOf(customer) })
      }
    }
    errors.sort((one, other) => one.line - other.line)
    chunk = []
  }

  /** Adds the report to a refusal while the file is read. */
  async function * reported (records: AsyncIterable<ImportRecord>) {
    try {
      yield * records
    } catch (error) {
      throw withReport(error)
    }
  }

  function withReport (error: unknown) {
    if (error instanceof ProblemError) error.members.report = { ...report(), lines: registered + failed }
    return error
  }

  async function commit (isLast: boolean) {
    await recheck().catch(error => { throw withReport(error) })
    const customers = chunk.map(({ customer }) => customer)
    if (dryRun) await check(customers)
    else if (isTogether) await commitAll(customers)
    else if (hash === null) settle(customers.length === 0 ? new Set() : await imports.add(customers, actor))
    else await commitWithProgress(customers, hash, isLast)
    done = lines
  }

  async function check (customers: NewCustomer[]) {
    settle(await takenOf(customers))
    if (isTogether && failed > 0) registered = 0
  }

  async function commitWithProgress (customers: NewCustomer[], hash: string, isLast: boolean) {
    const start = { registered, failed, errors, chunk }
    // Called again if the transaction is retried.
    await imports.addAndAdvance(customers, actor, { hash, done, errors: storedErrors }, taken => {
      ({ registered, failed, errors, chunk } = start)
      errors = [...errors]
      settle(taken)
      return progress(isLast)
    })
    storedErrors = errors.length
  }

  async function commitAll (customers: NewCustomer[]) {
    const place = hash === null ? null : { hash, done, errors: storedErrors }
    const taken = failed > 0
      ? await takenOf(customers)
      : await imports.addAll(customers, actor, place, () => ({ ...progress(true), registered: lines }))
    settle(taken)
    if (failed > 0) registered = 0
  }

  function progress (isFinished: boolean): Progress {
    return { done: lines, digest: digest.copy().digest('base64url'), registered, failed, errors, isFinished }
  }

  async function takenOf (customers: NewCustomer[]): Promise<Set<number>> {
    const taken = new Set<number>()
    for (let start = 0; start < customers.length; start += CHUNK) {
      for (const id of await imports.findTaken(customers.slice(start, start + CHUNK).map(({ id }) => id))) taken.add(id)
    }
    return taken
  }

  function report (): ImportReport {
    const doubts = dryRun ? { warned, warnings } : {}
    return { lines, registered, failed, errors, hasMoreErrors: failed > errors.length, ...doubts, dryRun }
  }
}

function otherFile () {
  return idempotencyKeyReused('This Idempotency-Key was already used with another file or mode. Send a new key, or the original file.')
}
