import { Customer } from '@frontdesk/schemas/customer'
import { Type } from '@sinclair/typebox'

/** Schemas of a customer's fields in a body. */
export const customerFields = Customer.properties

/** Schema of the identifier in a body, if the path has it, too. */
export const repeatedId = Type.Optional(Type.Integer({ ...customerFields.customerid, description: 'Must match the path, if sent.' }))
