import { queryOf } from '@frontdesk/service-kit/path'
import { Type, type Static } from '@sinclair/typebox'
import { formatOperationsCursor, parseOperationsQuery } from '../../customer/operations-query.js'
import { queryInvalid } from '../../problems/request.js'
import { operationKinds } from '../../stores/operations/advance.js'
import type { Operation as StoredOperation } from '../../stores/operations/operations.js'
import { type Operation, always, problems } from './responses.js'

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

const OperationsPage = Type.Object({
  items: Type.Array(CustomerOperation),
  next: Type.Optional(Type.String({ description: 'The next page\'s `cursor`. Absent on the last page.' }))
})

const schema = {
  operationId: 'listOperations',
  summary: 'List changes of many customers',
  description: 'Imports and other requests that changed many customers, newest first. They are kept as long as the history.',
  tags: ['customer'],
  querystring: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Maximum operations on a page.' })),
    cursor: Type.Optional(Type.String({ description: '`next` of the previous page.' }))
  }),
  response: { 200: OperationsPage, ...problems(...always, queryInvalid) }
}

/** `GET /rest/qa/customer/operations` lists operations. */
const listOperations: Operation = async function listOperations (fastify, { operations }) {
  fastify.get('/rest/qa/customer/operations', { schema, config: { scope: 'customer:read' } }, async (request, reply) => {
    const { limit, place } = parseOperationsQuery(queryOf(request.url))
    const found = await operations.list(limit + 1, place)
    const items = found.slice(0, limit)
    const last = items.at(-1)
    reply.header('Cache-Control', 'private, no-cache').type('application/json; charset=utf-8')
    return {
      items: items.map(represent),
      ...last === undefined || found.length <= limit ? {} : { next: formatOperationsCursor(last) }
    } satisfies Static<typeof OperationsPage>
  })
}

export default listOperations

function represent (operation: StoredOperation): Static<typeof CustomerOperation> {
  const { id, kind, at, sub, clientId, customers, undoes, undoesClientId, undoesSince, undone } = operation
  return {
    operation: id,
    kind,
    at: at.toISOString(),
    sub,
    client_id: clientId,
    customers,
    ...undoes === null ? {} : { undoes },
    ...undoesClientId === null ? {} : { undoes_client_id: undoesClientId },
    ...undoesSince === null ? {} : { undoes_since: undoesSince.toISOString() },
    ...undone === null ? {} : { undone }
  }
}
