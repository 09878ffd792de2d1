import type { FieldError } from '@frontdesk/schemas/field-error'
import type { Members } from '../input/json.js'
import type { Place } from '../stores/duplicates/duplicates.js'
import { membersError } from './body.js'
import { formatCursor, parseCursor } from './cursor.js'
import { isId } from './id.js'
import { pageParameters, type Page } from './page-query.js'
import { parseQuery } from './query.js'

/** What its cursors are bound to. */
const LIST = 'duplicates'

const page = pageParameters(readCursor)

/** Parses the query of a list of duplicates. @throws ProblemError `query-invalid` with every invalid parameter */
export function parseDuplicatesQuery (text: string): Page<Place> {
  return page.read(parseQuery(text, page.checks))
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
  if (pair === undefined || errors.length > 0) throw membersError(errors)
  return pair
}

function readPair ([one, other, ...more]: unknown[]): [number, number] | undefined {
  return isId(one) && isId(other) && one !== other && more.length === 0 ? [one, other] : undefined
}

function readCursor (value: string): Place | undefined {
  const place = parseCursor(value, 'name', LIST)
  return typeof place?.key !== 'string' ? undefined : { name: place.key, id: place.id }
}
