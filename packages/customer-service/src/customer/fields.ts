import { MAX_ID } from './id.js'

/** Says what is wrong with the value of a field, in a sentence; `undefined` if nothing is. */
type Check = (value: string) => string | undefined

/** The fields of a customer and what each may hold. */
export const fields = {
  customerid: integer(1, MAX_ID),
  customername: text(100, /\p{Cc}/u, 'no control characters'),
  customerage: integer(0, 150),
  customeraddress: text(200, /[^\P{Cc}\t\n\r]/u, 'no control characters but TAB, LF and CR')
} satisfies Record<string, Check>

/** Name of a field. */
export type FieldName = keyof typeof fields

/** Digits alone: `1e3`, `1.0` and `+6` are numbers to JavaScript, and mistakes here. */
function integer (min: number, max: number): Check {
  return value => {
    const isIn = /^[0-9]{1,10}$/.test(value) && Number(value) >= min && Number(value) <= max
    return isIn ? undefined : `Must be a whole number from ${min} to ${max}, in digits.`
  }
}

function text (max: number, forbidden: RegExp, rule: string): Check {
  return value => {
    if (!/[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u.test(value)) return 'Must not be blank.'
    const length = [...value].length
    if (length > max) return `Must have at most ${max} characters; it has ${length}.`
    return forbidden.test(value) ? `Must hold ${rule}.` : undefined
  }
}
