import type { FieldError } from '@frontdesk/schemas/field-error'
import type { LineError, Progress } from '../../stores/imports/imports.js'
import type { UnnumberedCustomer } from '../../stores/imports/numbering.js'
import { findDoubts } from '../doubts.js'
import type { ImportReport } from './report.js'

/** Maximum errors in a report. */
const MAX_ERRORS = 1_000

const TAKEN: FieldError[] = [{ field: 'customerid', rule: 'taken', detail: 'Is already in use by another customer.' }]

/** A customer of a file. */
export interface ImportedCustomer { readonly line: number, readonly customer: UnnumberedCustomer }

/** Counts the outcomes of records. */
export class Tally {
  readonly #isDryRun: boolean
  readonly #operation: string | null
  registered: number
  failed: number
  errors: readonly LineError[]
  #warned = 0
  readonly #warnings: LineError[] = []

  /** @param before the progress of an earlier request with the same key @param operation `null`: it is not recorded */
  constructor (before: Pick<Progress, 'registered' | 'failed' | 'errors'> | null, isDryRun: boolean, operation: string | null) {
    this.registered = before?.registered ?? 0
    this.failed = before?.failed ?? 0
    this.errors = before?.errors ?? []
    this.#isDryRun = isDryRun
    this.#operation = operation
  }

  fail (error: LineError): void {
    this.failed++
    if (this.errors.length < MAX_ERRORS) this.errors = [...this.errors, error]
  }

  /** Counts the outcomes of a chunk. @param taken ids that are already in use */
  settle (chunk: readonly ImportedCustomer[], taken: ReadonlySet<number>): void {
    for (const { line, customer } of chunk) {
      const { id } = customer
      if (id !== null && taken.has(id)) this.fail({ line, customerid: id, errors: TAKEN })
      else {
        this.registered++
        if (this.#isDryRun) this.#warn({ line, ...id === null ? {} : { customerid: id }, errors: findDoubts(customer) })
      }
    }
    this.errors = this.errors.toSorted((one, other) => one.line - other.line)
  }

  report (lines: number): ImportReport {
    const { registered, failed, errors } = this
    const doubts = this.#isDryRun ? { warned: this.#warned, warnings: this.#warnings } : {}
    const operation = this.#operation === null || this.#isDryRun || registered === 0 ? {} : { operation: this.#operation }
    const hasMoreErrors = failed > errors.length
    return { ...operation, lines, registered, failed, errors: [...errors], hasMoreErrors, ...doubts, dryRun: this.#isDryRun }
  }

  #warn (warning: LineError): void {
    if (warning.errors.length === 0) return
    this.#warned++
    if (this.#warnings.length < MAX_ERRORS) this.#warnings.push(warning)
  }
}
