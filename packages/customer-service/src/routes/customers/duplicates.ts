import { queryOf } from '@frontdesk/service-kit/path'
import { Type } from '@sinclair/typebox'
import { DuplicatesPage, type DuplicatePair } from '../../customer/duplicates-page.js'
import { formatDuplicatesCursor, parseDuplicatesQuery } from '../../customer/duplicates-query.js'
import { queryInvalid } from '../../problems/request.js'
import type { Pair } from '../../stores/duplicates/duplicates.js'
import { representListed } from './list.js'
import { type Operation, always, problems } from './responses.js'

const schema = {
  operationId: 'listDuplicates',
  summary: 'List possible duplicates',
  description:
    'Pairs of customers with the same name, ignoring case and accents, and a similar address or age, in the order of the name. If several customers are similar, each is listed once, with the first of them. Without pairs that `dismissDuplicate` dismissed.',
  tags: ['customer'],
  querystring: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Maximum pairs on a page.' })),
    cursor: Type.Optional(Type.String({ description: '`next` of the previous page.' }))
  }),
  response: { 200: DuplicatesPage, ...problems(...always, queryInvalid) }
}

/** `GET /rest/qa/customer/duplicates` lists customers that may be registered twice. */
const listDuplicates: Operation = async function listDuplicates (fastify, { duplicates, hrefOf }) {
  fastify.get('/rest/qa/customer/duplicates', { schema, config: { scope: 'customer:read' } }, async (request, reply) => {
    const { limit, place: after } = parseDuplicatesQuery(queryOf(request.url))
    const { pairs, next } = await duplicates.list({ limit, after })
    reply.header('Cache-Control', 'private, no-cache').type('application/json; charset=utf-8')
    return {
      items: pairs.map(represent),
      ...next === null ? {} : { next: formatDuplicatesCursor(next) }
    } satisfies DuplicatesPage
  })

  function represent ({ customers, similar }: Pair): DuplicatePair {
    return { customers: customers.map(it => representListed(it, hrefOf(it.id))), similar: [...similar] }
  }
}

export default listDuplicates
