import type { Fields } from '../input/form.js'
import { formInvalid } from '../problems/customer.js'
import type { CustomerBody } from './body.js'
import { check } from './check.js'
import { fieldNames, toInteger } from './fields.js'

/** Parses the values of a new customer. @throws ProblemError `form-invalid` or `json-invalid`, with every invalid field */
export function parseRegistration ({ sent, invalid }: CustomerBody) {
  const { customerid, customername, customerage, customeraddress } = check(sent, fieldNames, [], invalid)
  return { id: toInteger(customerid), name: customername, age: toInteger(customerage), address: customeraddress }
}

/**
 * Parses the form that changes an address; `id` selects one of several customers with the name.
 * @throws ProblemError `form-invalid` with every invalid field
 */
export function parseAddressChange (form: Fields) {
  const { customername, customeraddress, customerid } = check(form, ['customername', 'customeraddress'], ['customerid'], formInvalid)
  return { name: customername, address: customeraddress, ...(customerid === undefined ? {} : { id: toInteger(customerid) }) }
}
