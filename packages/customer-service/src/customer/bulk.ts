import { MAX_INTEGER, MIN_INTEGER } from '@frontdesk/schemas/customer'
import { parseIfMatch } from '../input/etag.js'
import { MAX_MEMBERS, parseObject, type Members } from '../input/json.js'
import { jsonInvalid } from '../problems/customer.js'
import type { Change } from '../stores/customers/customer-record.js'
import type { Target } from '../stores/operations/bulk.js'
import { membersError, toBody } from './body.js'
import { parsePatch } from './changes.js'
import { isId } from './id.js'
import { noSuch } from './nearest.js'

/** Maximum customers of a request: they are in one transaction. */
export const MAX_BULK = 1_000

const MEMBERS = ['remove', 'change', 'customers', 'etags']

/** No customer has this version. */
const NO_VERSION = -1

/** What to do to many customers. */
export type Bulk = { readonly kind: 'remove', readonly targets: readonly Target[] } |
  { readonly kind: 'change', readonly targets: readonly Target[], readonly change: Change }

/**
 * Parses `{"remove": […]}` or `{"change": {…}, "customers": […]}`, with or without `etags`.
 * @throws ProblemError `json-malformed` or `json-invalid`
 */
export function parseBulk (body: Uint8Array): Bulk {
  const { values, repeated, repeatedInside } = parseObject(body)
  const names = Object.keys(values).filter(name => name !== 'etags').sort().join()
  if (names !== 'remove' && names !== 'change,customers') {
    const errors = Object.keys(values).filter(field => !MEMBERS.includes(field))
      .map(field => ({ field, detail: noSuch('member', field, MEMBERS) }))
    if (errors.length > 0) throw membersError(errors)
    throw jsonInvalid('Send either remove, or change and customers.', { members: { errors } })
  }
  if (repeated.size > 0) throw membersError([...repeated.keys()].map(field => ({ field, detail: 'Must be sent once.' })))
  if (names === 'remove') return { kind: 'remove', targets: parseTargets('remove', values) }
  const targets = parseTargets('customers', values)
  return { kind: 'change', targets, change: parseChange(values.change, repeatedInside) }
}

/** Each customer once. */
function parseTargets (field: string, values: Members['values']): Target[] {
  const ids = parseIds(field, values[field])
  const versions = values.etags === undefined ? [] : parseVersions(values.etags, ids.length)
  const targets = new Map<number, number | null>()
  for (const [index, id] of ids.entries()) {
    const version = versions[index] ?? null
    if ((targets.get(id) ?? version) !== version) throw membersError([{ field: 'etags', detail: `Customer ${id} has two different ETags.` }])
    targets.set(id, version)
  }
  return Array.from(targets, ([id, version]) => ({ id, version }))
}

function parseIds (field: string, value: unknown): number[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_BULK) {
    const had = Array.isArray(value) ? `; it has ${value.length}` : ''
    throw membersError([{ field, detail: `Must be an array of 1 to ${MAX_BULK} customer numbers${had}.` }])
  }
  const wrong = value.findIndex(id => !isId(id))
  if (wrong >= 0) throw membersError([{ field, detail: `Entry ${wrong + 1} must be a whole number from ${MIN_INTEGER} to ${MAX_INTEGER}.` }])
  return value
}

/** The version of each ETag. */
function parseVersions (value: unknown, length: number): number[] {
  const versions = Array.isArray(value) ? value.map(etag => typeof etag === 'string' ? parseIfMatch(etag) : undefined) : []
  if (versions.length !== length || !versions.every(Array.isArray)) {
    throw membersError([{ field: 'etags', detail: 'Must be an array with the ETag of each customer, in the same order.' }])
  }
  return versions.map(([version = NO_VERSION]) => version)
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
