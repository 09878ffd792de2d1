import type { Change } from '../stores/customers/customer-record.js'
import { NULL, type CustomerBody } from './body.js'
import { check, type Sent } from './check.js'
import { toInteger } from './fields.js'
import { nearest } from './nearest.js'

const CHANGEABLE = ['customername', 'customerage', 'customeraddress']

/**
 * Parses the replacement of a customer.
 * @param id of the customer, which the body may repeat
 * @throws ProblemError `form-invalid` or `json-invalid`, with every field that is wrong
 */
export function parseReplacement (body: CustomerBody, id: number): Required<Change> {
  const { customername, customerage, customeraddress } = check(
    withoutId({ ...body, sent: withoutNull(body.sent) }, id),
    ['customername', 'customerage', 'customeraddress'],
    ['customerid'],
    body.invalid
  )
  return { name: customername, age: toInteger(customerage), address: customeraddress }
}

/**
 * Parses the fields to change (RFC 7396).
 * @param id of the customer, which the body may repeat
 * @throws ProblemError `form-invalid` or `json-invalid`, with every field that is wrong, or if there is none
 */
export function parsePatch (body: CustomerBody, id: number): Change {
  const { customername, customerage, customeraddress } = check(
    withoutId(body, id),
    [],
    ['customerid', 'customername', 'customerage', 'customeraddress'],
    body.invalid
  )
  const change = {
    ...(customername === undefined ? {} : { name: customername }),
    ...(customerage === undefined ? {} : { age: toInteger(customerage) }),
    ...(customeraddress === undefined ? {} : { address: customeraddress })
  }
  // Success would hide that every field name is misspelled.
  if (Object.keys(change).length === 0) {
    throw body.invalid(
      'Send at least one of customername, customerage and customeraddress.',
      { members: { errors: findUnknown(body.sent) } }
    )
  }
  return change
}

/** Lists unknown fields, and what was probably meant. */
function findUnknown (sent: Sent) {
  return Object.keys(sent).filter(field => field !== 'customerid').map(field => {
    const meant = nearest(field, CHANGEABLE)
    return { field, detail: `There is no such field${meant === undefined ? '.' : `; did you mean \`${meant}\`?`}` }
  })
}

/** Takes a null for the one field that may be left out as absent. */
function withoutNull ({ customerid, ...sent }: Sent): Sent {
  return customerid === NULL || customerid === undefined ? sent : { customerid, ...sent }
}

/** Marks an identifier that differs from the path as a mistake: identifiers do not change. */
function withoutId ({ sent }: CustomerBody, id: number) {
  const { customerid } = sent
  if (typeof customerid !== 'string' || Number(customerid) === id) return sent
  return { ...sent, customerid: { mistake: `Must be ${id}, the identifier in the path, or be left out.` } }
}
