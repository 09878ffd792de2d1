import type { Violation } from '@frontdesk/schemas/field-error'
import { MAX_ADDRESS, MAX_INTEGER, MAX_NAME, MIN_INTEGER } from '@frontdesk/schemas/customer'

/** The valid values of a field. */
interface Field {
  /** JSON type. */
  json: 'number' | 'string'
  /** Returns why a value is invalid; `undefined` if it is valid. */
  check (value: string): Violation | undefined
}

/** Digits with an optional minus sign: JavaScript's `1e3`, `1.0` and `+6` are invalid. */
const integer: Field = {
  json: 'number',
  check: value => isInteger(value) ? undefined : notWhole(MIN_INTEGER, MAX_INTEGER)
}

/** The fields of a customer and their valid values. */
export const fields = {
  customerid: integer,
  customername: text(MAX_NAME, /\p{Cc}/u, 'no control characters'),
  customerage: integer,
  customeraddress: text(MAX_ADDRESS, /[^\P{Cc}\t\n\r]/u, 'no control characters but TAB, LF and CR')
} satisfies Record<string, Field>

export type FieldName = keyof typeof fields

/** Every field, in the order of files. as: the keys are those of the type. */
export const fieldNames = Object.keys(fields) as FieldName[]

/** The violation of a rule for whole numbers. */
export function notWhole (minimum: number, maximum: number): Violation {
  return { rule: 'integer', minimum, maximum, detail: `Must be a whole number from ${minimum} to ${maximum}, in digits.` }
}

function text (max: number, forbidden: RegExp, rule: string): Field {
  const check = (value: string): Violation | undefined => {
    const length = [...value].length
    if (length > max) return { rule: 'length', maximum: max, detail: `Must have at most ${max} characters; it has ${length}.` }
    // JSON can have half a pair: \ud800.
    if (/\p{Surrogate}/u.test(value)) return { rule: 'characters', detail: 'Must be Unicode, without half a surrogate pair.' }
    return forbidden.test(value) ? { rule: 'characters', detail: `Must hold ${rule}.` } : undefined
  }
  return { json: 'string', check }
}

function isInteger (value: string): boolean {
  return /^-?[0-9]{1,10}$/.test(value) && Number(value) >= MIN_INTEGER && Number(value) <= MAX_INTEGER
}

/** Converts a valid text to a number, -0 to 0. */
export function toInteger (value: string): number {
  return Number(value) + 0
}
