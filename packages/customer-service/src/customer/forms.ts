import type { Fields } from '../input/form.js'
import { formInvalid } from '../problems/customer.js'
import { check } from './check.js'
import { fieldNames, toInteger } from './fields.js'

/** Parses the form that adds a customer. @throws ProblemError `form-invalid` with every invalid field */
export function parseRegistration (form: Fields) {
  const { customerid, customername, customerage, customeraddress } = check(form, fieldNames, [], formInvalid)
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
