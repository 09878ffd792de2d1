import type { Change } from '../stores/customers/customer-record.js'
import { NULL, type CustomerBody } from './body.js'
import { check, type Sent } from './check.js'
import { toInteger } from './fields.js'
import { nearest } from './nearest.js'

const CHANGEABLE = ['customername', 'customerage', 'customeraddress'] as const

/**
 * Parses the new values of a customer.
 * @param id of the customer; the body may repeat it
 * @throws ProblemError `form-invalid` or `json-invalid`, with every invalid field
 */
export function parseReplacement (body: CustomerBody, id: number): Required<Change> {
  const sent = checkId(withoutNull(body.sent), id)
  const { customername, customerage, customeraddress } = check(sent, CHANGEABLE, ['customerid'], body.invalid)
  return { name: customername, age: toInteger(customerage), address: customeraddress }
}

/**
 * Parses the fields to change (RFC 7396).
 * @param id of the customer; the body may repeat it
 * @throws ProblemError `form-invalid` or `json-invalid`, with every invalid field, or if nothing changes
 */
export function parsePatch (body: CustomerBody, id: number): Change {
  const { customername, customerage, customeraddress } = check(checkId(body.sent, id), [], ['customerid', ...CHANGEABLE], body.invalid)
  const change = {
    ...(customername === undefined ? {} : { name: customername }),
    ...(customerage === undefined ? {} : { age: toInteger(customerage) }),
    ...(customeraddress === undefined ? {} : { address: customeraddress })
  }
  // Otherwise, misspelled field names would succeed.
  if (Object.keys(change).length === 0) {
    const members = { errors: findUnknown(body.sent) }
    throw body.invalid('Send at least one of customername, customerage and customeraddress.', { members })
  }
  return change
}

/** Lists unknown fields, with suggestions. */
function findUnknown (sent: Sent) {
  return Object.keys(sent).filter(field => field !== 'customerid').map(field => {
    const meant = nearest(field, CHANGEABLE)
    return { field, detail: `There is no such field${meant === undefined ? '.' : `; did you mean \`${meant}\`?`}` }
  })
}

/** Ignores a null in the only optional field. */
function withoutNull ({ customerid, ...sent }: Sent): Sent {
  return customerid === NULL || customerid === undefined ? sent : { customerid, ...sent }
}

/** Marks an identifier other than the path's as a mistake: identifiers do not change. */
function checkId (sent: Sent, id: number): Sent {
  const { customerid } = sent
  if (typeof customerid !== 'string' || Number(customerid) === id) return sent
  return { ...sent, customerid: { mistake: `Must be ${id}, the identifier in the path, or be left out.` } }
}
