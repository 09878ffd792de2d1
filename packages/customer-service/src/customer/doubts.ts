import type { NewCustomer } from '../stores/customers/customer-record.js'
import type { FieldError } from './check.js'

/** Usual ages. Others are valid, but probably typos. */
const USUAL_AGES = { min: 0, max: 150 }

/** Finds probable typos in a valid customer. */
export function findDoubts ({ name, age }: Pick<NewCustomer, 'name' | 'age'>): FieldError[] {
  return [
    ...isBlank(name) ? [{ field: 'customername', detail: 'Is blank.' }] : [],
    ...age < USUAL_AGES.min || age > USUAL_AGES.max
      ? [{ field: 'customerage', detail: `Is not from ${USUAL_AGES.min} to ${USUAL_AGES.max}.` }]
      : []
  ]
}

/** Whether a text has no visible character. */
function isBlank (text: string): boolean {
  return !/[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u.test(text)
}
