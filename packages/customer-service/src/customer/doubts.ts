import type { FieldError } from '@frontdesk/schemas/field-error'
import type { NewCustomer } from '../stores/customers/customer-record.js'

/** Usual ages. Others are valid, but probably typos. */
const USUAL_AGES = { minimum: 0, maximum: 150 }

/** Finds probable typos in a valid customer. */
export function findDoubts ({ name, age }: Pick<NewCustomer, 'name' | 'age'>): FieldError[] {
  return [
    ...isBlank(name) ? [{ field: 'customername', rule: 'blank', detail: 'Is blank.' }] : [],
    ...age < USUAL_AGES.minimum || age > USUAL_AGES.maximum
      ? [{ field: 'customerage', rule: 'unusual', ...USUAL_AGES, detail: `Is not from ${USUAL_AGES.minimum} to ${USUAL_AGES.maximum}.` }]
      : []
  ]
}

/** Whether a text has no visible character. */
function isBlank (text: string): boolean {
  return !/[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u.test(text)
}
