import type { FieldError } from '@frontdesk/schemas/field-error'
import type { NewCustomer } from '../stores/customers/customer-record.js'

/** Usual ages. Others are valid, but probably typos. */
const USUAL_AGES = { minimum: 0, maximum: 150 }

/** Finds probable typos in a valid customer. */
export function findDoubts ({ name, age }: Pick<NewCustomer, 'name' | 'age'>): FieldError[] {
  const { minimum, maximum } = USUAL_AGES
  const doubts: FieldError[] = []
  if (isBlank(name)) doubts.push({ field: 'customername', rule: 'blank', detail: 'Is blank.' })
  if (age < minimum || age > maximum) {
    doubts.push({ field: 'customerage', rule: 'unusual', minimum, maximum, detail: `Is not from ${minimum} to ${maximum}.` })
  }
  return doubts
}

/** Whether a text has no visible character. */
function isBlank (text: string): boolean {
  return !/[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u.test(text)
}
