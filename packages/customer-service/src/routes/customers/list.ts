import { MAX_INTEGER, MIN_INTEGER } from '@frontdesk/schemas/customer'
import { CustomerPage, type ListedCustomer } from '@frontdesk/schemas/customer-page'
import { queryOf } from '@frontdesk/service-kit/path'
import { Type } from '@sinclair/typebox'
import { SORTS, parseListQuery, type ListRequest } from '../../customer/list-query.js'
import { acceptQuality } from '../../input/media-type.js'
import { makeEtag } from '../../input/etag.js'
import { queryInvalid } from '../../problems/request.js'
import { notAcceptable } from '../../problems/request.js'
import type { Listed, Lists } from '../../stores/search/query.js'
import { type Operation, always, problems } from './responses.js'

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))
const age = (description: string) => Type.Optional(Type.Integer({ minimum: MIN_INTEGER, maximum: MAX_INTEGER, description }))

/** Schema of a list's parameters. */
export const ListParameters = Type.Object({
  name: Type.Optional(Type.String({ description: 'The whole name. All filters ignore case and accents.' })),
  name_prefix: text('What the name begins with.'),
  q: text('Words, 8 at most; a number or an age, such as `34`; only a number: `#34`; or ages: `30-39`, `> 60`, `< 18`.'),
  age_gte: age('Lowest age.'),
  age_lte: age('Highest age.'),
  updated_since: text('Changed or added at this time or later, RFC 3339.'),
  sort: Type.Optional(Type.String({ enum: SORTS, default: 'id', description: 'A `-` reverses the order.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Maximum customers on a page.' })),
  cursor: text('`next` of the page before, with the same sort and filters.'),
  total: Type.Optional(
    Type.Boolean({
      default: false, description: 'Returns the total, counted up to 10,000. With several filters, counting covers the first 1,000 customers that match one of them.'
    })
  )
})

const schema = {
  operationId: 'listCustomers',
  summary: 'List customers, page by page, or search them',
  description:
    'Combined filters must all match. `next` of a page is the `cursor` of the next one. Each word of `q` must begin a word of the name or the address or, in scripts without spaces, be a part of one. With `q`, the customer with the number and those with exactly this name come first.',
  tags: ['customer'],
  querystring: ListParameters,
  response: { 200: CustomerPage, ...problems(...always, queryInvalid, notAcceptable) }
}

const json = 'application/json; charset=utf-8'

/** `GET /rest/qa/customer` lists customers. */
const listCustomers: Operation = async function listCustomers (fastify, { search, hrefOf, home }) {
  // A serializer made from the schema takes twice as long: it concatenates thousands of parts.
  const serializerCompiler = () => JSON.stringify
  fastify.get('/rest/qa/customer', { schema, serializerCompiler, config: { scope: 'customer:read' } }, async (request, reply) => {
    reply.header('Vary', 'Origin, Accept')
    if (acceptQuality(request.headers.accept, 'application/json') === 0) throw notAcceptable('Accept must allow application/json, in utf-8.')
    const wanted = parseListQuery(queryOf(request.url))
    const page = await readPage(search, wanted, hrefOf)
    const { first } = wanted
    const links = [
      ...page.next === undefined ? [] : [`<${home}?${first}${first === '' ? '' : '&'}cursor=${page.next}>; rel="next"`],
      `<${home}${first === '' ? '' : `?${first}`}>; rel="first"`
    ]
    reply.headers({ 'Cache-Control': 'private, no-cache', Link: links.join(', ') }).type(json)
    return page
  })
}

export default listCustomers

/** Reads a page of a list. @param hrefOf gives the URL of a customer */
export async function readPage (search: Lists, wanted: ListRequest, hrefOf: (id: number) => string): Promise<CustomerPage> {
  const { query } = wanted
  const [{ customers, next }, total] = await Promise.all([search.list(query), wanted.total ? search.count(query.filters) : undefined])
  return {
    items: customers.map(customer => representListed(customer, hrefOf(customer.id))),
    ...next === null ? {} : { next: wanted.next(next) },
    ...total === undefined ? {} : { total }
  }
}

/** Represents a customer in a list. */
export function representListed ({ id, name, age, address, version, createdAt, updatedAt }: Listed, href: string): ListedCustomer {
  return {
    customerid: id,
    customername: name,
    customerage: age,
    customeraddress: address,
    etag: makeEtag(version, 'json'),
    created: createdAt,
    updated: updatedAt,
    href
  }
}
