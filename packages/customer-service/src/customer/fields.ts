import { MAX_AGE } from '../stores/customers/customer-record.js'
import { MAX_ID } from './id.js'

/** The valid values of a field. */
interface Field {
  /** Type of its value in JSON. */
  json: 'number' | 'string'
  /** Why a value is invalid, in a sentence; `undefined` if it is valid. */
  check (value: string): string | undefined
}

/** The fields of a customer and their valid values. */
export const fields = {
  customerid: integer(1, MAX_ID),
  customername: text(100, /\p{Cc}/u, 'no control characters'),
  customerage: integer(0, MAX_AGE),
  customeraddress: text(200, /[^\P{Cc}\t\n\r]/u, 'no control characters but TAB, LF and CR')
} satisfies Record<string, Field>

/** Name of a field. */
export type FieldName = keyof typeof fields

/** Digits only: `1e3`, `1.0` and `+6` are numbers in JavaScript, but invalid here. */
function integer (min: number, max: number): Field {
  const check = (value: string) => {
    const isIn = /^[0-9]{1,10}$/.test(value) && Number(value) >= min && Number(value) <= max
    return isIn ? undefined : `Must be a whole number from ${min} to ${max}, in digits.`
  }
  return { json: 'number', check }
}

function text (max: number, forbidden: RegExp, rule: string): Field {
  const check = (value: string) => {
    if (!/[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u.test(value)) return 'Must not be blank.'
    const length = [...value].length
    if (length > max) return `Must have at most ${max} characters; it has ${length}.`
    // Only JSON can express one: \ud800.
    if (/\p{Surrogate}/u.test(value)) return 'Must be Unicode, without half a surrogate pair.'
    return forbidden.test(value) ? `Must hold ${rule}.` : undefined
  }
  return { json: 'string', check }
}
