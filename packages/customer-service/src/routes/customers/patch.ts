import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { CustomerBody } from '../../customer/body.js'
import { parsePatch } from '../../customer/changes.js'
import { CustomerPath, parseId } from '../../customer/id.js'
import type { Versions } from '../../input/etag.js'
import { customerMerged } from '../../problems/customer.js'
import { queryInvalid } from '../../problems/request.js'
import type { Change } from '../../stores/customers/customer-record.js'
import type { Stores } from '../../stores/open.js'
import { logWrite } from './log-write.js'
import { actorOf } from './actor.js'
import { customerFields, repeatedId } from './fields.js'
import { type Operation, always, empty, ofForm, ofJson, ofWrite, problems } from './responses.js'
import { IfMatch, readIfMatch, mismatchError } from './if-match.js'
import { refuseParameters } from './no-parameters.js'

const Patch = Type.Partial(Type.Object({ ...customerFields, customerid: repeatedId }), {
  description: 'At least one of customername, customerage and customeraddress.',
  examples: [{ customeraddress: 'colombo' }]
})

const schema = {
  operationId: 'patchCustomer',
  summary: 'Update some fields of a customer',
  description:
    'Sets the fields that are sent and keeps the others (RFC 7396). With `If-Match`, only if the customer has not changed since: send the `ETag` of a read, or the `etag` of a list, including its quotes.',
  tags: ['customer'],
  params: CustomerPath,
  headers: IfMatch,
  body: {
    content: {
      'application/merge-patch+json': { schema: Patch },
      'application/json': { schema: Patch },
      'application/x-www-form-urlencoded': { schema: Patch }
    }
  },
  response: { 204: empty('Changed.'), ...problems(...always, ...ofJson, ...ofForm, ...ofWrite, queryInvalid, customerMerged) }
}

const config = { scope: 'customer:write', acceptPatch: Object.keys(schema.body.content).join(', ') } as const

/** `PATCH /rest/qa/customer/{customerid}` changes the fields that are sent (RFC 5789, RFC 7396). */
const patchCustomer: Operation = async function patchCustomer (fastify, { customers, requireIfMatch }) {
  // Reports an invalid identifier before it reads the body.
  fastify.addHook<{ Params: CustomerPath }>('onRequest', async ({ params }) => { parseId(params.customerid) })
  fastify.addHook('onRequest', refuseParameters)

  const path = '/rest/qa/customer/:customerid'
  fastify.patch<{ Params: CustomerPath, Body: CustomerBody }>(path, { schema, config }, async (request, reply) => {
    const id = parseId(request.params.customerid)
    const patch = parsePatch(request.body, id)
    await change(customers, { id, versions: readIfMatch(request, requireIfMatch) }, patch, request)
    return await reply.code(204).send()
  })
}

export default patchCustomer

/** Changes a customer that has one of the versions, and logs it. @throws ProblemError `customer-unknown`, `version-differs` */
export async function change (
  customers: Stores['customers'], { id, versions }: { id: number, versions: Versions }, values: Change, request: FastifyRequest
): Promise<void> {
  const { outcome } = await customers.change(id, values, versions, actorOf(request))
  if (outcome !== 'changed') throw mismatchError(outcome, id)
  logWrite(request, 'patch', id)
}
