import { RemovedPage } from '@frontdesk/schemas/removed-page'
import { queryOf } from '@frontdesk/service-kit/path'
import { Type } from '@sinclair/typebox'
import { formatHistoryCursor, parseRemovedQuery } from '../../customer/history-query.js'
import { queryInvalid } from '../../problems/request.js'
import type { RemovedCustomer as Removed } from '../../stores/changes/removed.js'
import { representValues } from './change.js'
import { type Operation, always, problems } from './responses.js'

const schema = {
  operationId: 'listRemovedCustomers',
  summary: 'List removed customers, or search them',
  description:
    'Newest first, while their history is kept. Without erased or merged customers, and without numbers that are in use again. `restoreCustomer` restores one.',
  tags: ['customer'],
  querystring: Type.Object({
    q: Type.Optional(Type.String({ minLength: 1, description: 'Words, as in `listCustomers`.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Maximum customers on a page.' })),
    cursor: Type.Optional(Type.String({ description: '`next` of the previous page.' }))
  }),
  response: { 200: RemovedPage, ...problems(...always, queryInvalid) }
}

/** `GET /rest/qa/customer/removed` lists removed customers. */
const listRemovedCustomers: Operation = async function listRemovedCustomers (fastify, { listRemoved }) {
  fastify.get('/rest/qa/customer/removed', { schema, config: { scope: 'customer:read' } }, async (request, reply) => {
    const { customers, next } = await listRemoved(parseRemovedQuery(queryOf(request.url)))
    reply.header('Cache-Control', 'private, no-cache').type('application/json; charset=utf-8')
    return {
      items: customers.map(represent),
      ...next === null ? {} : { next: formatHistoryCursor(next) }
    } satisfies RemovedPage
  })
}

export default listRemovedCustomers

function represent ({ customerId, values, version, at, sub, clientId }: Removed): RemovedPage['items'][number] {
  return { customerid: customerId, ...representValues(values), version, at: at.toISOString(), sub, client_id: clientId }
}
