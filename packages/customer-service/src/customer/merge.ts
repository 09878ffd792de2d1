import type { FieldError } from '@frontdesk/schemas/field-error'
import { parseIfMatch, type Versions } from '../input/etag.js'
import type { Members } from '../input/json.js'
import type { Change } from '../stores/customers/customer-record.js'
import { membersError, toBody } from './body.js'
import { parsePatch } from './changes.js'
import { isId } from './id.js'

const VALUES = ['customername', 'customerage', 'customeraddress']

/** The parsed body of a merge. `versions`: of the customer to merge; `undefined`: none were sent. */
interface MergeRequest { readonly from: number, readonly versions: Versions | undefined, readonly values: Change }

/**
 * Parses the body of a merge.
 * @param id of the customer that stays
 * @throws ProblemError `json-invalid` with every invalid member
 */
export function parseMerge (members: Members, id: number): MergeRequest {
  const { from, fromEtag, ...others } = members.values
  const versions = typeof fromEtag === 'string' ? parseIfMatch(fromEtag) : undefined
  const errors = Object.keys(others).filter(field => !VALUES.includes(field))
    .map((field): FieldError => ({ field, detail: 'There is no such member.' }))
  for (const field of ['from', 'fromEtag']) if (members.repeated.has(field)) errors.push({ field, detail: 'Must be sent once.' })
  if (!isId(from) || from === id) errors.push({ field: 'from', detail: 'Must be the identifier of another customer.' })
  if (fromEtag !== undefined && versions === undefined) {
    errors.push({ field: 'fromEtag', detail: 'Must be the ETag of that customer, with its quotes.' })
  }
  if (!isId(from) || errors.length > 0) throw membersError(errors)
  const body = toBody({ values: others, repeated: members.repeated })
  return { from, versions, values: Object.keys(others).length === 0 ? {} : parsePatch(body, id) }
}
