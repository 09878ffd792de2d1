import { Customer } from '@frontdesk/schemas/customer'
import { Type } from '@sinclair/typebox'

/** Schemas of the fields of a customer in a body. */
export const customerFields = Customer.properties

/** The identifier in a body if the path has it, too. */
export const repeatedId = Type.Optional(Type.Integer({ ...customerFields.customerid, description: 'Must match the path, if sent.' }))
