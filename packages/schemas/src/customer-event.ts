import { Type, type Static } from '@sinclair/typebox'

/** Types of events, by the kind of the change. */
export const customerEventTypes = {
  registered: 'customer.registered.v1',
  updated: 'customer.updated.v1',
  removed: 'customer.removed.v1',
  restored: 'customer.restored.v1',
  merged: 'customer.merged.v1',
  erased: 'customer.erased.v1'
} as const

/** A change of a customer, as an event of CloudEvents 1.0. It has the names of what changed, not the values. */
export const CustomerEvent = Type.Object({
  specversion: Type.Literal('1.0'),
  id: Type.String({
    description: 'Position in the change feed, with a marker that detects a restored database. Send it back unchanged.', examples: ['42-8f3a9c21d04e']
  }),
  source: Type.String({ description: 'The register.', examples: ['/rest/qa/customer'] }),
  type: Type.String({ enum: Object.values(customerEventTypes), examples: ['customer.updated.v1'] }),
  subject: Type.String({ description: 'Identifier of the customer.', examples: ['4711'] }),
  time: Type.String({ description: 'RFC 3339, in UTC.', examples: ['2026-01-31T08:00:00.000Z'] }),
  datacontenttype: Type.Literal('application/json'),
  data: Type.Object({
    customerid: Type.Integer({ minimum: 1, examples: [4711] }),
    version: Type.Integer({ description: 'Version of the customer after the change. For a removal, the version before it. The number in its ETag.' }),
    fields: Type.Array(Type.String(), { description: 'Names of the fields that changed.', examples: [['customeraddress']] }),
    successor: Type.Optional(Type.Integer({ description: 'The customer that this one was merged into, if it was. Its number is free.' }))
  })
})
export type CustomerEvent = Static<typeof CustomerEvent>

/** Events after a position, as `GET /rest/qa/customer/events` returns them. */
export const CustomerEvents = Type.Object({
  events: Type.Array(CustomerEvent, { description: 'Oldest first. Empty if there are no new events.' }),
  next: Type.String({ description: '`after` of the next request.', examples: ['42-8f3a9c21d04e'] })
})
export type CustomerEvents = Static<typeof CustomerEvents>
