import { Type, type Static } from '@sinclair/typebox'
import { Customer } from './customer.js'

/** A customer in a list. */
export const ListedCustomer = Type.Object({
  ...Customer.properties,
  etag: Type.String({ description: 'The ETag of this customer as JSON, for If-Match.', examples: ['"1-json"'] }),
  created: Type.String({ description: 'RFC 3339, in UTC.', examples: ['2026-01-31T08:00:00.000Z'] }),
  updated: Type.String({ description: 'RFC 3339, in UTC.', examples: ['2026-01-31T08:00:00.000Z'] }),
  href: Type.String({ description: 'Address of this customer.', examples: ['/rest/qa/customer/4711'] })
})
export type ListedCustomer = Static<typeof ListedCustomer>

/** One page of a list, as `GET /rest/qa/customer` returns it. */
export const CustomerPage = Type.Object({
  items: Type.Array(ListedCustomer, { description: 'Can be fewer than `limit`, or empty, even if there is a `next`.' }),
  next: Type.Optional(Type.String({ description: 'The next page\'s `cursor`. Absent on the last page.' })),
  total: Type.Optional(
    Type.Object(
      {
        count: Type.Integer({ minimum: 0, description: 'Number of customers that match the filters, on all pages.' }),
        more: Type.Boolean({
          description: 'Whether there can be more: counting stops at 10,000 or, with several filters, after the first 1,000 customers that match one of them.'
        })
      },
      { description: 'Present with `total=true`.' }
    )
  )
})
export type CustomerPage = Static<typeof CustomerPage>
