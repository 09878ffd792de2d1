import { Type, type IntegerOptions, type Static } from '@sinclair/typebox'

/** A customer's integers have 32 bits. */
export const MIN_INTEGER = -2147483648
export const MAX_INTEGER = 2147483647

/** Maximum code points of a name and an address. */
export const MAX_NAME = 100
export const MAX_ADDRESS = 200

const integer = (options: IntegerOptions) => Type.Integer({ minimum: MIN_INTEGER, maximum: MAX_INTEGER, ...options })

/** A customer as `GET /rest/qa/customer/{customerid}` returns it for `Accept: application/json`. */
export const Customer = Type.Object({
  customerid: integer({ description: 'The caller chooses it when adding the customer.', examples: [4711] }),
  customername: Type.String({ maxLength: MAX_NAME, description: 'As written; up to 100 code points.', examples: ['charitha'] }),
  customerage: integer({ description: 'Any signed 32-bit integer.', examples: [33] }),
  customeraddress: Type.String({ maxLength: MAX_ADDRESS, description: 'As written; up to 200 code points.', examples: ['piliyandala'] })
})
export type Customer = Static<typeof Customer>

/** One of several customers that share a name. */
const Candidate = Type.Object({
  customerid: Type.Integer({ description: 'Identifies the customer if several have the name.' }),
  href: Type.String({ description: 'Address of this customer.' })
})
type Candidate = Static<typeof Candidate>

/** Additional members of the problem for an ambiguous name. */
export const Ambiguity = Type.Object({
  total: Type.Integer({ minimum: 2, description: 'Number of customers with the name.' }),
  candidates: Type.Optional(Type.Array(Candidate, { maxItems: 10, description: 'The first ten, if the token has `customer:read`.' }))
})
export type Ambiguity = Static<typeof Ambiguity>
