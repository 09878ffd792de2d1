import { Type, type Static } from '@sinclair/typebox'
import { Customer } from './customer.js'

/** A customer in a list. */
export const ListedCustomer = Type.Object({
  ...Customer.properties,
  etag: Type.String({ description: 'The ETag of this customer as JSON, for If-Match.', examples: ['"1-json"'] }),
  created: Type.String({ description: 'RFC 3339, in UTC.', examples: ['2026-01-31T08:00:00.000Z'] }),
  updated: Type.String({ description: 'RFC 3339, in UTC.', examples: ['2026-01-31T08:00:00.000Z'] }),
  href: Type.String({ description: 'Where this customer is found.', examples: ['/rest/qa/customer/4711'] })
})
export type ListedCustomer = Static<typeof ListedCustomer>

/** One page of a list, as `GET /rest/qa/customer` returns it. */
export const CustomerPage = Type.Object({
  items: Type.Array(ListedCustomer, { description: 'May be fewer than `limit`, even none, where there is a `next`.' }),
  next: Type.Optional(Type.String({ description: '`cursor` of the next page; the last page has none.' })),
  total: Type.Optional(
    Type.Object(
      {
        count: Type.Integer({ minimum: 0, description: 'How many customers the filters let through, on all pages.' }),
        more: Type.Boolean({
          description: 'Whether there may be more: counting ends after 10,000, with several filters after 1,000 that one of them finds.'
        })
      },
      { description: 'With `total=true`.' }
    )
  )
})
export type CustomerPage = Static<typeof CustomerPage>
