import type { FieldError } from '@frontdesk/schemas/field-error'
import { createHash } from 'node:crypto'
import type { Actor } from '../../stores/changes/change.js'
import { CHUNK, type Imports, type NewProgress, type Progress } from '../../stores/imports/imports.js'
import { newOperationId, type OperationActor } from '../../stores/operations/advance.js'
import { UnreadableFile } from '@frontdesk/service-kit/records/record'
import { idempotencyKeyReused } from '../../problems/request.js'
import { toProblem } from './store-errors.js'
import { fileTooLong, fileUnreadable } from '../../problems/import.js'
import { ProblemError } from '../../problems/define.js'
import type { ImportOptions } from './options.js'
import { NumberSet } from './number-set.js'
import type { ImportRecord } from './records.js'
import type { ImportReport } from './report.js'
import { Tally, type ImportedCustomer } from './tally.js'

/** Maximum records with all-or-nothing: they are in one transaction. */
const MAX_ALL_OR_NOTHING = 2_000
/** Records after which progress is stored, even if most failed. */
const MAX_UNCOMMITTED = 10 * CHUNK
/** Maximum identifiers kept to find duplicates: 8 MB. */
export const MAX_SEEN = 1_000_000

const REPEATED: FieldError[] = [{ field: 'customerid', rule: 'duplicate', detail: 'Is in the file more than once.' }]

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
interface Parts extends ImportOptions { readonly imports: Imports, readonly actor: OperationActor, readonly before: Progress | null }

class ImportRun {
  readonly #parts: Parts
  readonly #digest
  readonly #seen = new NumberSet(MAX_SEEN)
  readonly #tally: Tally
  #chunk: ImportedCustomer[] = []
  #lines = 0
  /** Records that this request or earlier ones committed. */
  #done: number
  /** Whether the file begins with the records that an earlier request committed. */
  #isSameFile: boolean
  #storedErrors: number

  constructor (parts: Parts) {
    const { before, hash, allOrNothing, dryRun, imports, actor } = parts
    this.#parts = parts
    this.#digest = createHash('sha256').update(JSON.stringify([hash, allOrNothing]))
    this.#tally = new Tally(before, dryRun, imports.areRecorded ? actor.operationId : null)
    this.#done = before?.done ?? 0
    this.#isSameFile = this.#done === 0
    this.#storedErrors = this.#tally.errors.length
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
    const checked = this.#findRepeated(record)
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

  #findRepeated (record: ImportRecord): ImportRecord {
    if ('errors' in record) return record
    const { line, customer: { id } } = record
    if (id === null) return record
    // Once #seen is full, two equal ids in one statement would both be recorded as registered.
    const isRepeated = this.#seen.addOrFind(id) || this.#chunk.some(({ customer }) => customer.id === id)
    return isRepeated ? { line, customerid: id, errors: REPEATED } : record
  }

  /** Imports the records before the unreadable line, by the same rules. */
  async #unreadable (error: UnreadableFile) {
    if (!this.#parts.allOrNothing && this.#isSameFile) await this.#commit(false)
    if (this.#parts.allOrNothing) this.#tally.registered = 0
    const isNothing = this.#parts.dryRun || this.#tally.registered === 0
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
    const { registered, failed } = this.#tally
    const error = toProblem(cause)
    if (error instanceof ProblemError) error.members.report = { ...this.#tally.report(this.#lines), lines: registered + failed }
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
    const { dryRun, hash, imports, actor } = this.#parts
    if (this.#parts.allOrNothing) await this.#commitAll()
    else if (dryRun) this.#settle(await this.#findTaken())
    else if (hash !== null) await this.#commitWithProgress(hash, isLast)
    else this.#settle(this.#chunk.length === 0 ? new Set() : await imports.add(this.#customers(), actor))
  }

  async #commitWithProgress (hash: string, isLast: boolean) {
    const [chunk, { registered, failed, errors }] = [this.#chunk, this.#tally]
    const place = { hash, done: this.#done, errors: this.#storedErrors }
    // Called again if the transaction is retried.
    await this.#parts.imports.addAndAdvance(this.#customers(), this.#parts.actor, place, taken => {
      Object.assign(this.#tally, { registered, failed, errors })
      this.#chunk = chunk
      this.#settle(taken)
      return this.#progress(isLast)
    })
    this.#storedErrors = this.#tally.errors.length
  }

  async #commitAll () {
    const { hash, dryRun, imports, actor } = this.#parts
    const place = hash === null ? null : { hash, done: this.#done, errors: this.#storedErrors }
    const next = () => ({ ...this.#progress(true), registered: this.#lines })
    const isCheck = dryRun || this.#tally.failed > 0
    this.#settle(isCheck ? await this.#findTaken() : await imports.addAll(this.#customers(), actor, place, next))
    if (this.#tally.failed > 0) this.#tally.registered = 0
  }

  #settle (taken: ReadonlySet<number>) {
    this.#tally.settle(this.#chunk, taken)
    this.#chunk = []
  }

  async #findTaken () {
    return await this.#parts.imports.findTaken(this.#customers().flatMap(({ id }) => id ?? []))
  }

  #customers () {
    return this.#chunk.map(({ customer }) => customer)
  }

  #progress (isFinished: boolean): NewProgress {
    const { registered, failed, errors } = this.#tally
    return { done: this.#lines, digest: this.#digestSoFar(), registered, failed, errors: [...errors], isFinished }
  }

  #digestSoFar (): string {
    return this.#digest.copy().digest('base64url')
  }
}

function otherFile () {
  return idempotencyKeyReused('This Idempotency-Key was already used with another file or other options. ' +
    'Send a new key, or the original file.')
}
