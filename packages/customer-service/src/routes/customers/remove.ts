import type { FastifyRequest } from 'fastify'
import { CustomerPath, parseId } from '../../customer/id.js'
import type { Versions } from '../../input/etag.js'
import { customerMerged } from '../../problems/customer.js'
import type { Stores } from '../../stores/open.js'
import { logWrite } from './log-write.js'
import { actorOf } from './actor.js'
import { type Operation, always, empty, ofWrite, problems } from './responses.js'
import { IfMatch, readIfMatch, mismatchError } from './if-match.js'

const schema = {
  operationId: 'removeCustomer',
  summary: 'Remove a customer',
  description: 'Removes the record. The history is kept as long as `HISTORY_DAYS` sets; `erase` removes it.',
  tags: ['customer'],
  params: CustomerPath,
  headers: IfMatch,
  response: { 204: empty('Removed. The identifier may be registered again.'), ...problems(...always, ...ofWrite, customerMerged) }
}

/** `DELETE /rest/qa/customer/{customerid}` removes a customer. */
const removeCustomer: Operation = async function removeCustomer (fastify, { customers, requireIfMatch }) {
  // Ignores a body, which has no meaning (RFC 9110 §9.3.5).
  fastify.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true })

  fastify.delete('/rest/qa/customer/:customerid', { schema, config: { scope: 'customer:delete' } }, async (request, reply) => {
    await remove(customers, parseId(request.params.customerid), readIfMatch(request, requireIfMatch), request)
    return await reply.code(204).send(null)
  })
}

export default removeCustomer

/** Removes a customer that has one of the versions, and logs it. @throws ProblemError `customer-unknown`, `version-differs` */
export async function remove (customers: Stores['customers'], id: number, versions: Versions, request: FastifyRequest): Promise<void> {
  const { outcome } = await customers.remove(id, versions, actorOf(request))
  if (outcome !== 'removed') throw mismatchError(outcome, id)
  logWrite(request, 'remove', id)
}
