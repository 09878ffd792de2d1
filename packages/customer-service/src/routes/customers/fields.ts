import { Type } from '@sinclair/typebox'

/** Schemas of the fields of a customer in a body. */
export const customerFields = {
  customerid: Type.Integer({ minimum: 1, maximum: 2147483647, examples: [4711] }),
  customername: Type.String({ minLength: 1, maxLength: 100, examples: ['charitha'] }),
  customerage: Type.Integer({ minimum: 0, maximum: 150, examples: [33] }),
  customeraddress: Type.String({ minLength: 1, maxLength: 200, examples: ['piliyandala'] })
}

/** The identifier in a body if the path has it, too. */
export const repeatedId = Type.Optional(Type.Integer({ ...customerFields.customerid, description: 'That of the path, if sent.' }))
