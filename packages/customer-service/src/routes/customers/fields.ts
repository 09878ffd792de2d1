import { Type } from '@sinclair/typebox'

/** What a body says of a customer, for the description of a route. */
export const customerFields = {
  customerid: Type.Integer({ minimum: 1, maximum: 2147483647, examples: [4711] }),
  customername: Type.String({ minLength: 1, maxLength: 100, examples: ['charitha'] }),
  customerage: Type.Integer({ minimum: 0, maximum: 150, examples: [33] }),
  customeraddress: Type.String({ minLength: 1, maxLength: 200, examples: ['piliyandala'] })
}

/** The identifier in a body whose path has it. */
export const repeatedId = Type.Optional(Type.Integer({ ...customerFields.customerid, description: 'That of the path, if sent.' }))
