import { queryOf } from '@frontdesk/service-kit/path'
import { Type } from '@sinclair/typebox'
import { OperationsPage, type CustomerOperation } from '../../customer/operations-page.js'
import { formatOperationsCursor, parseOperationsQuery } from '../../customer/operations-query.js'
import { queryInvalid } from '../../problems/request.js'
import type { Operation as StoredOperation } from '../../stores/operations/operations.js'
import { type Operation, always, problems } from './responses.js'

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
    } satisfies OperationsPage
  })
}

export default listOperations

function represent (operation: StoredOperation): CustomerOperation {
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
