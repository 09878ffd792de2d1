import { Type, type Static } from '@sinclair/typebox'
import { Customer } from './customer.js'

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

/** A removed customer. */
const RemovedCustomer = Type.Object({
  ...Customer.properties,
  version: Type.Integer({ description: 'The version before the removal, to restore it with.' }),
  at: Type.String({ description: 'When it was removed: RFC 3339, in UTC.' }),
  sub: nullable('User of the access token; null if none was needed.'),
  client_id: nullable('App of the access token.')
})

/** One page of the removed customers, as `GET /rest/qa/customer/removed` returns it. */
export const RemovedPage = Type.Object({
  items: Type.Array(RemovedCustomer, { description: 'Can be fewer than `limit`, or empty, even if there is a `next`.' }),
  next: Type.Optional(Type.String({ description: 'The next page\'s `cursor`. Absent on the last page.' }))
})
export type RemovedPage = Static<typeof RemovedPage>
