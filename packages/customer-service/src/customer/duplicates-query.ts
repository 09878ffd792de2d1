import { MAX_INTEGER, MIN_INTEGER } from '@frontdesk/schemas/customer'
import type { FieldError } from '@frontdesk/schemas/field-error'
import type { Members } from '../input/json.js'
import { jsonInvalid } from '../problems/customer.js'
import type { Place } from '../stores/duplicates/duplicates.js'
import { formatCursor, parseCursor } from './cursor.js'
import { parameters } from './list-query.js'
import { parseQuery, type Check } from './query.js'

const DEFAULT_LIMIT = 50

/** What its cursors are bound to. */
const LIST = 'duplicates'

const cursor: Check = value =>
  readCursor(value) === undefined ? { detail: 'Is not a cursor of this list. Send next of a page unchanged.' } : undefined

/** Parses the query of a list of duplicates. @throws ProblemError `query-invalid` with every invalid parameter */
export function parseDuplicatesQuery (text: string): { limit: number, after: Place | undefined } {
  const { limit, cursor: after } = parseQuery(text, { limit: parameters.limit, cursor })
  return { limit: Number(limit ?? DEFAULT_LIMIT), after: after === undefined ? undefined : readCursor(after) }
}

/** Encodes the cursor of the page after a place. */
export function formatDuplicatesCursor ({ name, id }: Place): string {
  return formatCursor({ key: name, id }, LIST)
}

/** Parses the body of a dismissal. @throws ProblemError `json-invalid` */
export function parsePair ({ values, repeated }: Members): [number, number] {
  const errors = Object.keys(values).filter(field => field !== 'customers')
    .map((field): FieldError => ({ field, detail: 'There is no such member.' }))
  const { customers } = values
  const pair = repeated.size === 0 && Array.isArray(customers) ? readPair(customers) : undefined
  if (pair === undefined) {
    errors.push({ field: 'customers', detail: 'Must be an array of two different identifiers, as whole numbers.' })
  }
  if (pair === undefined || errors.length > 0) {
    throw jsonInvalid(`Correct the fields in errors: ${errors.map(({ field }) => field).join(', ')}.`, { members: { errors } })
  }
  return pair
}

function readPair ([one, other, ...more]: unknown[]): [number, number] | undefined {
  return isId(one) && isId(other) && one !== other && more.length === 0 ? [one, other] : undefined
}

function isId (value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= MIN_INTEGER && Number(value) <= MAX_INTEGER
}

function readCursor (value: string): Place | undefined {
  const place = parseCursor(value, 'name', LIST)
  return typeof place?.key !== 'string' ? undefined : { name: place.key, id: place.id }
}
