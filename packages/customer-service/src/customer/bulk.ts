import { MAX_MEMBERS, parseObject, type Members } from '../input/json.js'
import { jsonInvalid } from '../problems/customer.js'
import type { Change } from '../stores/customers/customer-record.js'
import { membersError, toBody } from './body.js'
import { parsePatch } from './changes.js'
import { isId } from './id.js'

/** Maximum customers of a request: they are in one transaction. */
export const MAX_BULK = 1_000

/** What to do to many customers. */
export type Bulk = { readonly kind: 'remove', readonly ids: readonly number[] } |
  { readonly kind: 'change', readonly ids: readonly number[], readonly change: Change }

/** Parses `{"remove": […]}` or `{"change": {…}, "customers": […]}`. @throws ProblemError `json-malformed` or `json-invalid` */
export function parseBulk (body: Uint8Array): Bulk {
  const { values, repeated, repeatedInside } = parseObject(body)
  const names = Object.keys(values).sort().join()
  if (names !== 'remove' && names !== 'change,customers') {
    throw jsonInvalid('Send either remove, or change and customers.', { members: { errors: [] } })
  }
  if (repeated.size > 0) throw membersError([...repeated.keys()].map(field => ({ field, detail: 'Must be sent once.' })))
  if (names === 'remove') return { kind: 'remove', ids: parseIds('remove', values.remove) }
  const ids = parseIds('customers', values.customers)
  return { kind: 'change', ids, change: parseChange(values.change, repeatedInside) }
}

function parseIds (field: string, value: unknown): number[] {
  if (!Array.isArray(value) || !value.every(isId) || value.length === 0 || value.length > MAX_BULK) {
    throw membersError([{ field, detail: `Must be an array of 1 to ${MAX_BULK} customer numbers.` }])
  }
  return [...new Set(value)]
}

/** By the rules of a PATCH, without a number. */
function parseChange (value: unknown, repeated: Members['repeated']): Change {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length > MAX_MEMBERS) {
    throw membersError([{ field: 'change', detail: `Must be an object of at most ${MAX_MEMBERS} members.` }])
  }
  const body = toBody({ values: { ...value }, repeated })
  if (body.sent.customerid !== undefined) throw membersError([{ field: 'customerid', detail: 'Cannot be changed.' }])
  return parsePatch(body, 0)
}
