import type { FieldError } from '@frontdesk/schemas/field-error'
import { parseObject } from '../input/json.js'
import { jsonInvalid } from '../problems/customer.js'
import type { Change } from '../stores/customers/customer-record.js'
import { readJson } from './body.js'
import { parsePatch } from './changes.js'
import { isId } from './id.js'

/** Maximum customers of a request: they are in one transaction. */
export const MAX_BULK = 1_000

/** What to do to many customers. */
export type Bulk = { readonly kind: 'remove', readonly ids: readonly number[] } |
  { readonly kind: 'change', readonly ids: readonly number[], readonly change: Change }

/** Parses `{"remove": […]}` or `{"change": {…}, "customers": […]}`. @throws ProblemError `json-malformed` or `json-invalid` */
export function parseBulk (body: Uint8Array): Bulk {
  const { values, repeated } = parseObject(body)
  const names = Object.keys(values).sort().join()
  if (names !== 'remove' && names !== 'change,customers') {
    throw invalid([{ field: '', detail: 'Send either remove, or change and customers.' }])
  }
  const again = [...repeated.keys()].filter(name => name in values)
  if (again.length > 0) throw invalid(again.map(field => ({ field, detail: 'Must be sent once.' })))
  if (names === 'remove') return { kind: 'remove', ids: parseIds('remove', values.remove) }
  const ids = parseIds('customers', values.customers)
  return { kind: 'change', ids, change: parseChange(values.change) }
}

function parseIds (field: string, value: unknown): number[] {
  const isIds = Array.isArray(value) && value.every(isId)
  if (!isIds || value.length === 0 || value.length > MAX_BULK) {
    throw invalid([{ field, detail: `Must be an array of 1 to ${MAX_BULK} customer numbers.` }])
  }
  return [...new Set(value as number[])] // as: checked above.
}

/** By the rules of a PATCH, without a number. */
function parseChange (value: unknown): Change {
  const body = readJson(Buffer.from(JSON.stringify(value)))
  if (body.sent.customerid !== undefined) throw invalid([{ field: 'customerid', detail: 'Cannot be changed.' }])
  return parsePatch(body, 0)
}

function invalid (errors: FieldError[]) {
  return jsonInvalid(`Correct the members in errors: ${errors.map(({ detail }) => detail).join(' ')}`, { members: { errors } })
}
