import { createHash } from 'node:crypto'
import type { Actor } from '../../stores/changes/change.js'
import type { Outcomes, Work } from '../../stores/imports/apply.js'
import { CHUNK, type Imports, type NewProgress, type Progress } from '../../stores/imports/imports.js'
import { newOperationId } from '../../stores/operations/advance.js'
import { UnreadableFile } from '@frontdesk/service-kit/records/record'
import { idempotencyKeyReused } from '../../problems/request.js'
import { toProblem } from './store-errors.js'
import { fileTooLong, fileUnreadable } from '../../problems/import.js'
import { ProblemError } from '../../problems/define.js'
import type { ImportOptions } from './options.js'
import type { ImportedCustomer, ImportRecord } from './records.js'
import { Repetitions } from './repetitions.js'
import type { ImportReport } from './report.js'
import { Tally } from './tally.js'

/** Maximum records with all-or-nothing: they are in one transaction. */
const MAX_ALL_OR_NOTHING = 2_000
/** Records after which progress is stored, even if most failed. */
const MAX_UNCOMMITTED = 10 * CHUNK

/**
 * Imports records in chunks, in the order of the file. With a key, continues after the last chunk that an earlier request
 * committed.
 * @throws ProblemError `file-unreadable`, `file-too-long`, `idempotency-key-reused`, and those of `records` and `recheck`, with a report
 * @throws ImportOvertaken
 */
export async function runImport (
  records: AsyncIterable<ImportRecord>, imports: Imports, actor: Actor, options: ImportOptions
): Promise<{ report: ImportReport, isReplay: boolean }> {
  const before = options.hash === null || options.dryRun ? null : await imports.begin(options.hash)
  const run = new ImportRun({ imports, actor: { ...actor, operationId: before?.operationId ?? newOperationId() }, before, ...options })
  return { report: await run.read(records), isReplay: before?.isFinished === true }
}

/** What an import needs. `before`: the progress of an earlier request with the key. */
interface Parts extends ImportOptions, Work { readonly imports: Imports, readonly before: Progress | null }

class ImportRun {
  readonly #parts: Parts
  readonly #digest
  readonly #repetitions: Repetitions
  readonly #tally: Tally
  #chunk: ImportedCustomer[] = []
  #lines = 0
  /** Records that this request or earlier ones committed. */
  #done: number
  /** Whether the file begins with the records that an earlier request committed. */
  #isSameFile: boolean
  #storedErrors: number

  constructor (parts: Parts) {
    const { before, hash, allOrNothing, dryRun, rule, imports, actor } = parts
    this.#parts = parts
    this.#repetitions = new Repetitions(rule)
    this.#digest = createHash('sha256').update(JSON.stringify([hash, allOrNothing, rule]))
    this.#tally = new Tally(before, dryRun, imports.areRecorded ? actor.operationId : null)
    this.#done = before?.done ?? 0
    this.#isSameFile = this.#done === 0
    this.#storedErrors = this.#tally.counts.errors.length
  }

  async read (records: AsyncIterable<ImportRecord>): Promise<ImportReport> {
    try {
      for await (const record of this.#reported(records)) if (this.#take(record)) await this.#commit(false)
    } catch (error) {
      if (error instanceof UnreadableFile) throw await this.#unreadable(error)
      throw error
    }
    if (!this.#isSameFile) throw otherFile()
    if (this.#parts.before?.isFinished !== true) await this.#commit(true)
    return this.#tally.report(this.#lines)
  }

  /** Returns whether a chunk is full. */
  #take (record: ImportRecord): boolean {
    this.#lines++
    if (this.#parts.allOrNothing && this.#lines > MAX_ALL_OR_NOTHING) {
      throw fileTooLong(`The file has more than ${MAX_ALL_OR_NOTHING} records. Nothing was registered. ` +
        'Import it without all_or_nothing, or in parts.')
    }
    if (this.#parts.hash !== null) this.#digest.update(JSON.stringify(record))
    const checked = this.#repetitions.check(record, this.#chunk)
    if (this.#lines <= this.#done) {
      if (this.#lines === this.#done) this.#isSameFile = this.#digestSoFar() === this.#parts.before?.digest
      if (this.#lines === this.#done && !this.#isSameFile) throw otherFile()
      return false
    }
    if (this.#parts.before?.isFinished === true) throw otherFile()
    if ('errors' in checked) this.#tally.fail(checked)
    else this.#chunk.push(checked)
    return !this.#parts.allOrNothing && (this.#chunk.length === CHUNK || this.#lines - this.#done === MAX_UNCOMMITTED)
  }

  /** Imports the records before the unreadable line, by the same rules. */
  async #unreadable (error: UnreadableFile) {
    if (!this.#parts.allOrNothing && this.#isSameFile) await this.#commit(false)
    if (this.#parts.allOrNothing) this.#tally.reset()
    const isNothing = this.#parts.dryRun || this.#tally.changed === 0
    const outcome = isNothing ? 'Nothing was registered.' : 'The records before it were imported: see report.'
    const members = { fault: error.fault, report: this.#tally.report(this.#lines) }
    return fileUnreadable(`${error.message} ${outcome}`, { cause: error, members })
  }

  /** Adds the report to errors of reading the file. */
  async * #reported (records: AsyncIterable<ImportRecord>) {
    try {
      yield * records
    } catch (error) {
      throw this.#withReport(error)
    }
  }

  #withReport (cause: unknown) {
    const { registered, updated, unchanged, failed } = this.#tally.counts
    const error = toProblem(cause)
    if (!(error instanceof ProblemError)) return error
    error.members.report = { ...this.#tally.report(this.#lines), lines: registered + updated + unchanged + failed }
    return error
  }

  async #commit (isLast: boolean) {
    try {
      await this.#parts.recheck()
      await this.#write(isLast)
    } catch (error) {
      throw this.#withReport(error)
    }
    this.#done = this.#lines
  }

  async #write (isLast: boolean) {
    const { dryRun, hash, imports, rule } = this.#parts
    if (this.#parts.allOrNothing) await this.#commitAll()
    else if (dryRun) this.#settle(await imports.check(this.#customers(), rule))
    else if (hash !== null) await this.#commitWithProgress(hash, isLast)
    else if (this.#chunk.length > 0) this.#settle(await imports.add(this.#customers(), this.#parts))
  }

  async #commitWithProgress (hash: string, isLast: boolean) {
    await this.#parts.imports.addAndAdvance(this.#customers(), this.#parts, this.#place(hash), this.#progressAfter(isLast))
    this.#chunk = []
    this.#storedErrors = this.#tally.counts.errors.length
  }

  async #commitAll () {
    const { hash, dryRun, imports, rule } = this.#parts
    const [customers, { counts }] = [this.#customers(), this.#tally]
    const outcomes = dryRun || counts.failed > 0
      ? await imports.check(customers, rule)
      : await imports.addAll(customers, this.#parts, hash === null ? null : this.#place(hash), this.#progressAfter(true))
    this.#tally.counts = counts
    this.#settle(outcomes)
    if (this.#tally.counts.failed > 0) this.#tally.reset()
  }

  #settle (outcomes: Outcomes) {
    this.#tally.settle(this.#chunk, outcomes)
    this.#chunk = []
  }

  #customers () {
    return this.#chunk.map(({ customer }) => customer)
  }

  #place (hash: string) {
    return { hash, done: this.#done, errors: this.#storedErrors }
  }

  /** Counts the outcomes of the chunk, and returns the progress to store. Called again if the transaction is retried. */
  #progressAfter (isFinished: boolean) {
    const before = this.#tally.counts
    return (outcomes: Outcomes): NewProgress => {
      this.#tally.counts = before
      this.#tally.settle(this.#chunk, outcomes)
      const { errors, ...counts } = this.#tally.counts
      return { done: this.#lines, digest: this.#digestSoFar(), ...counts, errors: [...errors], isFinished }
    }
  }

  #digestSoFar (): string {
    return this.#digest.copy().digest('base64url')
  }
}

function otherFile () {
  return idempotencyKeyReused('This Idempotency-Key was already used with another file or other options. ' +
    'Send a new key, or the original file.')
}
