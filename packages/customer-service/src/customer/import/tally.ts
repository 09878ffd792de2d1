import type { FieldError } from '@frontdesk/schemas/field-error'
import { isFailure, type Failure, type Outcomes, type Update } from '../../stores/imports/apply.js'
import type { LineError, Progress } from '../../stores/imports/imports.js'
import type { UnnumberedCustomer } from '../../stores/imports/numbering.js'
import { findDoubts } from '../doubts.js'
import type { ImportedCustomer } from './records.js'
import { SAME_NAME, SAME_NUMBER } from './repetitions.js'
import type { Difference, ImportReport } from './report.js'

/** Maximum errors, and differences, in a report. */
const [MAX_ERRORS, MAX_CHANGES] = [1_000, 20]

/** The errors of records that have no effect. */
const ERRORS: Record<Failure, FieldError> = {
  taken: { field: 'customerid', rule: 'taken', detail: 'Is already in use by another customer.' },
  unknown: { field: 'customerid', rule: 'unknown', detail: 'No customer has this number.' },
  'unknown name': { field: 'customername', rule: 'unknown', detail: 'No customer has this name.' },
  repeated: SAME_NUMBER,
  'repeated name': SAME_NAME,
  ambiguous: { field: 'customername', rule: 'ambiguous', detail: 'Several customers have this name.' },
  merged: { field: 'customerid', rule: 'merged', detail: 'This customer was merged into another one.' }
}

/** Counts of outcomes, and the first errors. */
type Counts = Pick<Progress, 'registered' | 'updated' | 'unchanged' | 'failed'> & { readonly errors: readonly LineError[] }

const NONE: Counts = { registered: 0, updated: 0, unchanged: 0, failed: 0, errors: [] }

/** Counts the outcomes of records. */
export class Tally {
  readonly #isDryRun: boolean
  readonly #operation: string | null
  counts: Counts
  #warned = 0
  readonly #warnings: LineError[] = []
  readonly #changes: Difference[] = []

  /** @param before the progress of an earlier request with the same key @param operation `null`: it is not recorded */
  constructor (before: Counts | null, isDryRun: boolean, operation: string | null) {
    const { registered, updated, unchanged, failed, errors } = before ?? NONE
    this.counts = { registered, updated, unchanged, failed, errors }
    this.#isDryRun = isDryRun
    this.#operation = operation
  }

  /** Number of changed customers. */
  get changed (): number {
    return this.counts.registered + this.counts.updated
  }

  /** Counts only failures: nothing was changed. */
  reset (): void {
    this.counts = { ...this.counts, registered: 0, updated: 0, unchanged: 0 }
  }

  fail (error: LineError): void {
    const { failed, errors } = this.counts
    this.counts = { ...this.counts, failed: failed + 1, errors: errors.length < MAX_ERRORS ? [...errors, error] : errors }
  }

  /** Counts the outcomes of a chunk. */
  settle (chunk: readonly ImportedCustomer[], outcomes: Outcomes): void {
    for (const { line, customer } of chunk) {
      const at = customer.id === null ? { line } : { line, customerid: customer.id }
      // !: the store decided about each.
      const outcome = outcomes.get(customer)!
      if (isFailure(outcome)) {
        const { kind, customers } = outcome
        this.fail({ ...at, ...customers === undefined ? {} : { customers }, errors: [ERRORS[kind]] })
        continue
      }
      this.counts = { ...this.counts, [outcome.kind]: this.counts[outcome.kind] + 1 }
      if (!this.#isDryRun || outcome.kind === 'unchanged') continue
      this.#warn({ ...at, errors: findDoubts(customer) })
      if (outcome.kind === 'updated' && this.#changes.length < MAX_CHANGES) this.#changes.push(compare(line, customer, outcome))
    }
    this.counts = { ...this.counts, errors: this.counts.errors.toSorted((one, other) => one.line - other.line) }
  }

  report (lines: number): ImportReport {
    const { errors, ...counts } = this.counts
    const isRecorded = this.#operation !== null && !this.#isDryRun && this.changed > 0
    return {
      ...isRecorded ? { operation: this.#operation } : {},
      lines,
      ...counts,
      errors: [...errors],
      hasMoreErrors: counts.failed > errors.length,
      ...this.#isDryRun ? { warned: this.#warned, warnings: this.#warnings, changes: this.#changes } : {},
      dryRun: this.#isDryRun
    }
  }

  #warn (warning: LineError): void {
    if (warning.errors.length === 0) return
    this.#warned++
    if (this.#warnings.length < MAX_ERRORS) this.#warnings.push(warning)
  }
}

/** Compares the values of a record with those that it replaces. */
function compare (line: number, { name, age, address }: UnnumberedCustomer, { id, before }: Update): Difference {
  return {
    line,
    customerid: id,
    fields: {
      ...before.name === name ? {} : { customername: { before: before.name, after: name } },
      ...before.age === age ? {} : { customerage: { before: before.age, after: age } },
      ...before.address === address ? {} : { customeraddress: { before: before.address, after: address } }
    }
  }
}
