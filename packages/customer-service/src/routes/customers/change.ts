import { Type, type Static } from '@sinclair/typebox'
import type { PastChange, Values } from '../../stores/changes/history.js'
import { customerFields } from './fields.js'

const { customerid, ...fields } = customerFields
const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const state = (description: string) => Type.Union([Type.Object(fields), Type.Null()], { description })

/** A change in a customer's history. */
export const CustomerChange = Type.Object({
  customerid: Type.Optional(Type.Integer({ description: 'The customer that it is a change of, if that was merged into this one.' })),
  version: Type.Integer({ description: 'Version of the customer after the change. For a removal, the version before it.' }),
  kind: Type.String({ description: '`registered`, `updated`, `removed`, `restored`, `merged` or `erased`.', examples: ['updated'] }),
  at: Type.String({ format: 'date-time' }),
  sub: nullable('User of the access token; null if none was needed.'),
  client_id: nullable('App of the access token.'),
  requestId: nullable('`X-Request-Id` of the response.'),
  operation: Type.Optional(Type.String({ description: 'The operation that the change is part of, such as an import.' })),
  successor: Type.Optional(Type.Integer({ description: 'The customer that this one was merged into.' })),
  before: state('The values before; null if there was no customer, or they are no longer kept.'),
  after: state('The values after; null as for `before`.')
})
export type CustomerChange = Static<typeof CustomerChange>

/** Represents a change in the history of a customer with an identifier. */
export function representChange (id: number, change: PastChange): CustomerChange {
  const { customerId, version, kind, at, sub, clientId, requestId, operationId, successor, before, after } = change
  return {
    ...customerId === id ? {} : { customerid: customerId },
    version,
    kind,
    at: at.toISOString(),
    sub,
    client_id: clientId,
    requestId,
    ...operationId === null ? {} : { operation: operationId },
    ...successor === null ? {} : { successor },
    before: before && representValues(before),
    after: after && representValues(after)
  }
}

export function representValues ({ name, age, address }: Values) {
  return { customername: name, customerage: age, customeraddress: address }
}
