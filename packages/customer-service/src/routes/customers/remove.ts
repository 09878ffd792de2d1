import type { FastifyInstance } from 'fastify'
import { CustomerPath, parseId } from '../../customer/id.js'
import type { CustomerRoutesOptions } from './options.js'
import { IfMatch, readIfMatch } from './if-match.js'
import { logWrite } from './log-write.js'
import { refuseOne } from './mismatch-error.js'
import { always, empty, ofWrite, problems } from './responses.js'

const schema = {
  operationId: 'removeCustomer',
  summary: 'Remove a customer',
  description: 'The record is gone for good.',
  tags: ['customer'],
  params: CustomerPath,
  headers: IfMatch,
  response: { 204: empty('Removed. The identifier may be registered again.'), ...problems(...always, ...ofWrite) }
}

/** `DELETE /rest/qa/customer/{customerid}` removes a customer. */
export default async function removeCustomer (fastify: FastifyInstance, { customers, requireIfMatch }: CustomerRoutesOptions) {
  // A body means nothing here (RFC 9110 §9.3.5), whatever its type.
  fastify.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true })

  fastify.delete<{ Params: CustomerPath }>('/rest/qa/customer/:customerid', { schema, config: { scope: 'customer:delete' } }, async (request, reply) => {
    const id = parseId(request.params.customerid)
    const { outcome } = await customers.remove(id, readIfMatch(request, requireIfMatch))
    if (outcome !== 'removed') throw refuseOne(outcome, id)
    logWrite(request, 'remove', id)
    return await reply.code(204).send()
  })
}
