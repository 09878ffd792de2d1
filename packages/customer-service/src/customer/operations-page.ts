import { Type, type Static } from '@sinclair/typebox'
import { operationKinds } from '../stores/operations/advance.js'

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

/** Many changes by one request. */
const CustomerOperation = Type.Object({
  operation: Type.String({ description: 'Its id.', examples: ['pcQZ7PElmXHyIbXrG5gSAg'] }),
  kind: Type.String({ enum: operationKinds }),
  at: Type.String({ format: 'date-time', description: 'When it began.' }),
  sub: nullable('User of the access token; null if none was needed.'),
  client_id: nullable('App of the access token.'),
  customers: Type.Integer({ description: 'Customers that it has changed so far.' }),
  undoes: Type.Optional(Type.String({ description: 'The operation that it undoes.' })),
  undoes_client_id: Type.Optional(Type.String({ description: 'The app whose changes it undoes.' })),
  undoes_since: Type.Optional(Type.String({ format: 'date-time', description: 'Since when it undoes them.' })),
  undone: Type.Optional(Type.String({ description: 'The operation that undid it.' }))
})

export type CustomerOperation = Static<typeof CustomerOperation>

/** One page of operations, as `GET /rest/qa/customer/operations` returns it. */
export const OperationsPage = Type.Object({
  items: Type.Array(CustomerOperation),
  next: Type.Optional(Type.String({ description: 'The next page\'s `cursor`. Absent on the last page.' }))
})
export type OperationsPage = Static<typeof OperationsPage>
