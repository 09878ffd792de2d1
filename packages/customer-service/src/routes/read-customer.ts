import fastifyAccepts from '@fastify/accepts'
import { Customer } from '@frontdesk/schemas/customer'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { CustomerPath, parseId } from '../customer/id.js'
import { makeEtag, matchesAny } from '../input/etag.js'
import { customerUnknown } from '../problems/customer.js'
import { notAcceptable } from '../problems/request.js'
import type { CustomerRecord } from '../stores/customers.js'
import type { CustomerRoutesOptions } from './customer-options.js'
import { always, empty, problems } from './responses.js'

const schema = {
  operationId: 'readCustomer',
  summary: 'Read the name of a customer, or the whole record',
  description: 'The media type of the answer chooses. `ETag` names the version that was read, for `If-Match` of a change.',
  tags: ['customer'],
  params: CustomerPath,
  response: {
    200: {
      description: 'The name, exactly as registered; or the record, for `Accept: application/json`.',
      content: { 'text/plain': { schema: Type.String() }, 'application/json': { schema: Customer } }
    },
    304: empty('Not changed since the ETag in If-None-Match.'),
    ...problems(...always, customerUnknown, notAcceptable)
  }
}

const text = 'text/plain; charset=utf-8'
const json = 'application/json; charset=utf-8'

/** `GET /rest/qa/customer/{customerid}` gives the name of a customer, or the whole record. */
export default async function readCustomer (fastify: FastifyInstance, { customers }: CustomerRoutesOptions) {
  await fastify.register(fastifyAccepts)

  fastify.get<{ Params: CustomerPath }>('/rest/qa/customer/:customerid', { schema, config: { scope: 'customer:read' } }, async (request, reply) => {
    reply.header('Vary', 'Origin, Accept')
    const id = parseId(request.params.customerid)
    const type = negotiate(request)
    const customer = await customers.find(id)
    if (customer === null) throw customerUnknown(`There is no customer with the identifier ${id}.`)
    const etag = makeEtag(customer.version, type === json ? 'json' : 'text')
    reply.headers({ ETag: etag, 'Cache-Control': 'private, no-cache' })
    if (matchesAny(request.headers['if-none-match'], etag)) return await reply.code(304).send()
    return await reply.type(type).send(type === json ? represent(customer) : customer.name)
  })
}

function negotiate (request: FastifyRequest) {
  const type = request.accepts().type([text, json])
  if (type === text || type === json) return type
  throw notAcceptable('Accept must allow text/plain or application/json, in utf-8.')
}

function represent ({ id, name, age, address }: CustomerRecord): Customer {
  return { customerid: id, customername: name, customerage: age, customeraddress: address }
}
