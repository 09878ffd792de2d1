import { queryOf } from '@frontdesk/service-kit/path'
import { Type, type Static } from '@sinclair/typebox'
import { parseHistoryQuery, printHistoryCursor } from '../../customer/history-query.js'
import { CustomerPath, parseId } from '../../customer/id.js'
import { customerUnknown } from '../../problems/customer.js'
import { queryInvalid } from '../../problems/list.js'
import type { Values } from '../../stores/changes/history.js'
import { customerFields } from './fields.js'
import type { Operation } from './operation.js'
import { always, problems } from './responses.js'

const { customerid, ...fields } = customerFields
const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const state = (description: string) => Type.Union([Type.Object(fields), Type.Null()], { description })

/** A page of the history of a customer. */
const HistoryPage = Type.Object({
  items: Type.Array(Type.Object({
    version: Type.Integer({ description: 'Version of the customer after the change; if it was removed, before.' }),
    kind: Type.String({ description: '`registered`, `updated`, `removed`, `restored` or `erased`.', examples: ['updated'] }),
    at: Type.String({ format: 'date-time' }),
    sub: nullable('Whose access token it was; null if none was needed.'),
    client_id: nullable('The app that had the access token.'),
    requestId: nullable('`X-Request-Id` of the response.'),
    before: state('The values before; null if there was no customer, or they are no longer kept.'),
    after: state('The values after, in the same way.')
  })),
  next: Type.Optional(Type.String({ description: '`cursor` of the next page; the last page has none.' }))
})

const schema = {
  operationId: 'listCustomerHistory',
  summary: 'List the changes of a customer',
  description: 'Newest first. Also of a customer that was removed, while the history is kept. A number that was registered again has the changes of both customers.',
  tags: ['customer'],
  params: CustomerPath,
  querystring: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Changes on a page, at most.' })),
    cursor: Type.Optional(Type.String({ description: '`next` of the page before.' }))
  }),
  response: { 200: HistoryPage, ...problems(...always, queryInvalid, customerUnknown) }
}

/** `GET /rest/qa/customer/{customerid}/history` lists the changes of a customer. */
const listHistory: Operation = async function listHistory (fastify, { customers, history }) {
  fastify.get('/rest/qa/customer/:customerid/history', { schema, config: { scope: 'customer:read' } }, async (request, reply) => {
    const id = parseId(request.params.customerid)
    const { limit, before } = parseHistoryQuery(queryOf(request.url))
    const changes = await history.list(id, limit + 1, before)
    if (changes.length === 0 && await customers.find(id) === null) {
      throw customerUnknown(`There is no customer with the identifier ${id}, and no history of one.`)
    }
    const items = changes.slice(0, limit)
    const last = items.at(-1)
    reply.header('Cache-Control', 'private, no-cache').type('application/json; charset=utf-8')
    return {
      items: items.map(({ version, kind, at, sub, clientId, requestId, before, after }) => ({
        version, kind, at: at.toISOString(), sub, client_id: clientId, requestId, before: represent(before), after: represent(after)
      })),
      ...last === undefined || changes.length <= limit ? {} : { next: printHistoryCursor(last.seq) }
    } satisfies Static<typeof HistoryPage>
  })
}

export default listHistory

function represent (values: Values | null) {
  return values === null ? null : { customername: values.name, customerage: values.age, customeraddress: values.address }
}
