import type { FieldError } from '@frontdesk/schemas/field-error'
import { createHash } from 'node:crypto'
import { normalizeName } from '../../stores/customers/customer-record.js'
import type { ImportRule } from '../../stores/imports/rule.js'
import { NumberSet } from './number-set.js'
import type { ImportedCustomer, ImportRecord } from './records.js'

/** Maximum identifiers kept to find duplicates: 8 MB. */
export const MAX_SEEN = 1_000_000
/** Maximum hashes of names kept to find duplicates: 10 MB. */
const MAX_NAMES = 100_000

/** The error of a record with the number, or the name, of an earlier one. */
export const SAME_NUMBER: FieldError = { field: 'customerid', rule: 'duplicate', detail: 'Is in the file more than once.' }
export const SAME_NAME: FieldError = { ...SAME_NUMBER, field: 'customername' }

/** Finds records about the same customer as an earlier one, in bounded memory. */
export class Repetitions {
  readonly #numbers = new NumberSet(MAX_SEEN)
  readonly #names = new Set<string>()
  readonly #isByName: boolean

  constructor ({ match }: ImportRule) {
    this.#isByName = match === 'name'
  }

  /** Returns the record, or its error. @param chunk records of the same transaction: among them, it finds all */
  check (record: ImportRecord, chunk: readonly ImportedCustomer[]): ImportRecord {
    if ('errors' in record) return record
    const { line, customer: { id, name } } = record
    if (id !== null && (this.#numbers.addOrFind(id) || chunk.some(({ customer }) => customer.id === id))) {
      return { line, customerid: id, errors: [SAME_NUMBER] }
    }
    return this.#isByName && this.#hasName(name, chunk) ? { line, ...id === null ? {} : { customerid: id }, errors: [SAME_NAME] } : record
  }

  #hasName (name: string, chunk: readonly ImportedCustomer[]): boolean {
    const key = normalizeName(name)
    const hash = createHash('sha256').update(key).digest('base64url')
    if (this.#names.has(hash)) return true
    if (this.#names.size === MAX_NAMES) return chunk.some(({ customer }) => normalizeName(customer.name) === key)
    this.#names.add(hash)
    return false
  }
}
