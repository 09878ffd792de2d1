import { Customer, MAX_NAME } from '@frontdesk/schemas/customer'
import { matchesAny } from '@frontdesk/service-kit/etags'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { futureError, parseAsOf } from '../../customer/history-query.js'
import { CustomerPath, parseId } from '../../customer/id.js'
import { acceptQuality } from '../../input/media-type.js'
import { makeEtag } from '../../input/etag.js'
import { customerMerged, customerUnknown } from '../../problems/customer.js'
import { notAcceptable, queryInvalid } from '../../problems/request.js'
import type { Values } from '../../stores/changes/history.js'
import type { CustomerRecord } from '../../stores/customers/customer-record.js'
import type { Stores } from '../../stores/open.js'
import { type Operation, always, empty, problems } from './responses.js'

const Name = Type.String({
  maxLength: MAX_NAME, description: 'Only the name, without a line break. It can be empty.', examples: ['charitha']
})

/** Schema of the time of a past version. */
export const AsOf = Type.Object({
  as_of: Type.Optional(Type.String({ description: 'Returns the customer as of this time (RFC 3339), without `ETag`.' }))
})

const schema = {
  operationId: 'readCustomer',
  summary: 'Read the name of a customer, or the whole record',
  description:
    'Returns text, unless `Accept` has only JSON or gives it a higher quality. `application/json, text/plain, */*`, the default in ' +
    'axios and AngularJS, gets text. Send the `ETag` as `If-Match` to change this version.',
  tags: ['customer'],
  params: CustomerPath,
  querystring: AsOf,
  headers: Type.Object({
    'if-none-match': Type.Optional(Type.String({
      description: 'ETags of the representations that the client has. The response is 304 if one of them is current.'
    }))
  }),
  response: {
    200: {
      description: 'The name, exactly as registered, or the record if `Accept` prefers JSON.',
      content: { 'text/plain': { schema: Name }, 'application/json': { schema: Customer } }
    },
    304: empty('Not changed since the ETag in If-None-Match.'),
    ...problems(...always, customerUnknown, customerMerged, queryInvalid, notAcceptable)
  }
}

const text = 'text/plain; charset=utf-8'
const json = 'application/json; charset=utf-8'

/** `GET /rest/qa/customer/{customerid}` returns the name of a customer, or the whole record. */
const readCustomer: Operation = async function readCustomer (fastify, { customers, history }) {
  fastify.get('/rest/qa/customer/:customerid', { schema, config: { scope: 'customer:read' } }, async (request, reply) => {
    reply.header('Vary', 'Origin, Accept')
    const id = parseId(request.params.customerid)
    const type = negotiate(request)
    const time = parseAsOf(request.query.as_of)
    if (time !== undefined) {
      const past = await findPast(history, id, time)
      return await reply.header('Cache-Control', 'private, no-cache').type(type)
        .send(type === json ? represent({ id, ...past }) : past.name)
    }
    const customer = await findPresent(customers, id)
    const etag = makeEtag(customer.version, type === json ? 'json' : 'text')
    reply.headers({ ETag: etag, 'Cache-Control': 'private, no-cache' })
    if (matchesAny(request.headers['if-none-match'], etag)) return await reply.code(304).send(null)
    return await reply.type(type).send(type === json ? represent(customer) : customer.name)
  })
}

export default readCustomer

/** Finds a customer. @throws ProblemError `customer-unknown` */
export async function findPresent (customers: Stores['customers'], id: number): Promise<CustomerRecord> {
  const customer = await customers.find(id)
  if (customer === null) throw customerUnknown(`There is no customer with the identifier ${id}.`)
  return customer
}

/** Finds a customer's values at a time. @throws ProblemError `customer-unknown`, `query-invalid` */
export async function findPast (history: Stores['history'], id: number, time: Date): Promise<Values> {
  const found = await history.find(id, time)
  switch (found) {
    case 'future': throw futureError()
    case 'absent': throw customerUnknown(`There was no customer with the identifier ${id} at this time.`)
    case 'not retained': throw customerUnknown(`The history of customer ${id} does not go back to this time.`)
    default: return found
  }
}

/** Prefers text at equal quality, for compatibility: many clients accept both and expect text. */
function negotiate ({ headers: { accept } }: FastifyRequest) {
  const [forText, forJson] = [acceptQuality(accept, 'text/plain'), acceptQuality(accept, 'application/json')]
  if (forText > 0 && forText >= forJson) return text
  if (forJson > 0) return json
  throw notAcceptable('Accept must allow text/plain or application/json, in utf-8.')
}

/** Represents a customer as JSON. */
export function represent ({ id, name, age, address }: Omit<CustomerRecord, 'version'>): Customer {
  return { customerid: id, customername: name, customerage: age, customeraddress: address }
}
