import { queryOf } from '@frontdesk/service-kit/path'
import { Type, type Static } from '@sinclair/typebox'
import { parseHistoryQuery, formatHistoryCursor } from '../../customer/history-query.js'
import { CustomerPath, parseId } from '../../customer/id.js'
import type { Page } from '../../customer/page-query.js'
import { customerUnknown } from '../../problems/customer.js'
import { queryInvalid } from '../../problems/request.js'
import type { Stores } from '../../stores/open.js'
import { CustomerChange, representChange } from './change.js'
import { type Operation, always, problems } from './responses.js'

/** A page of a customer's history. */
export const HistoryPage = Type.Object({
  items: Type.Array(CustomerChange),
  next: Type.Optional(Type.String({ description: 'The next page\'s `cursor`. Absent on the last page.' }))
})
export type HistoryPage = Static<typeof HistoryPage>

/** Schema of its parameters. */
export const HistoryParameters = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Maximum changes on a page.' })),
  cursor: Type.Optional(Type.String({ description: '`next` of the previous page.' }))
})

const schema = {
  operationId: 'listCustomerHistory',
  summary: 'List changes to a customer',
  description: 'Newest first. Includes removed customers while their history is kept. If a number was registered again, the list has the changes to both customers. It has those of customers that were merged into this one, too.',
  tags: ['customer'],
  params: CustomerPath,
  querystring: HistoryParameters,
  response: { 200: HistoryPage, ...problems(...always, queryInvalid, customerUnknown) }
}

/** `GET /rest/qa/customer/{customerid}/history` lists the changes of a customer. */
const listHistory: Operation = async function listHistory (fastify, { customers, history }) {
  fastify.get('/rest/qa/customer/:customerid/history', { schema, config: { scope: 'customer:read' } }, async (request, reply) => {
    const id = parseId(request.params.customerid)
    const page = await readHistory({ customers, history }, id, parseHistoryQuery(queryOf(request.url)))
    reply.header('Cache-Control', 'private, no-cache').type('application/json; charset=utf-8')
    return page
  })
}

export default listHistory

/** Reads a page of a customer's history. @throws ProblemError `customer-unknown` */
export async function readHistory (
  { customers, history }: Pick<Stores, 'customers' | 'history'>, id: number, { limit, place }: Page<bigint>
): Promise<HistoryPage> {
  const changes = await history.list(id, limit + 1, place)
  if (changes.length === 0 && await customers.find(id) === null) {
    throw customerUnknown(`There is no customer with the identifier ${id}, and no history.`)
  }
  const items = changes.slice(0, limit)
  const last = items.at(-1)
  return {
    items: items.map(change => representChange(id, change)),
    ...last === undefined || changes.length <= limit ? {} : { next: formatHistoryCursor(last.seq) }
  }
}
