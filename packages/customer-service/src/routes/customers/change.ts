import { Type, type Static } from '@sinclair/typebox'
import type { PastChange, Values } from '../../stores/changes/history.js'
import { customerFields } from './fields.js'

const { customerid, ...fields } = customerFields
const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const state = (description: string) => Type.Union([Type.Object(fields), Type.Null()], { description })

/** A change in a customer's history. */
export const CustomerChange = Type.Object({
  version: Type.Integer({ description: 'Version of the customer after the change. For a removal, the version before it.' }),
  kind: Type.String({ description: '`registered`, `updated`, `removed`, `restored` or `erased`.', examples: ['updated'] }),
  at: Type.String({ format: 'date-time' }),
  sub: nullable('User of the access token; null if none was needed.'),
  client_id: nullable('App of the access token.'),
  requestId: nullable('`X-Request-Id` of the response.'),
  operation: Type.Optional(Type.String({ description: 'The operation that the change is part of, such as an import.' })),
  before: state('The values before; null if there was no customer, or they are no longer kept.'),
  after: state('The values after; null as for `before`.')
})
export type CustomerChange = Static<typeof CustomerChange>

export function representChange ({ version, kind, at, sub, clientId, requestId, operationId, before, after }: PastChange): CustomerChange {
  return {
    version,
    kind,
    at: at.toISOString(),
    sub,
    client_id: clientId,
    requestId,
    ...operationId === null ? {} : { operation: operationId },
    before: before && representValues(before),
    after: after && representValues(after)
  }
}

export function representValues ({ name, age, address }: Values) {
  return { customername: name, customerage: age, customeraddress: address }
}
