import { Type, type Static } from '@sinclair/typebox'

/** A customer as `GET /rest/qa/customer/{customerid}` returns it for `Accept: application/json`. */
export const Customer = Type.Object({
  customerid: Type.Integer({
    minimum: 1, maximum: 2147483647, description: 'Chosen by the caller that registers the customer.', examples: [4711]
  }),
  customername: Type.String({ description: '1…100 code points, as written.', examples: ['charitha'] }),
  customerage: Type.Integer({ minimum: 0, maximum: 150, examples: [33] }),
  customeraddress: Type.String({ description: '1…200 code points, as written.', examples: ['piliyandala'] })
})
export type Customer = Static<typeof Customer>

/** One of several customers that share a name. */
export const Candidate = Type.Object({
  customerid: Type.Integer({ description: 'Send it along to say which customer is meant.' }),
  href: Type.String({ description: 'Where this customer is found.' })
})
export type Candidate = Static<typeof Candidate>

/** Additional members of the problem for an ambiguous name. */
export const Ambiguity = Type.Object({
  total: Type.Integer({ minimum: 2, description: 'How many customers have the name.' }),
  candidates: Type.Optional(Type.Array(Candidate, { maxItems: 10, description: 'The first ten, for callers who may read.' }))
})
export type Ambiguity = Static<typeof Ambiguity>
