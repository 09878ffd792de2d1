import type { FastifyInstance } from 'fastify'
import { CustomerPath, parseId } from '../customer/id.js'
import { parseIfMatch } from '../input/etag.js'
import { customerUnknown, versionDiffers } from '../problems/customer.js'
import type { CustomerRoutesOptions } from './customer-options.js'
import { refuseIfNoneMatch } from './if-none-match.js'
import { always, empty, problems } from './responses.js'

const schema = {
  summary: 'Remove a customer',
  tags: ['customer'],
  params: CustomerPath,
  response: { 204: empty('Removed. The identifier may be registered again.'), ...problems(...always, 400, 404, 412) }
}

/** `DELETE /rest/qa/customer/{customerid}` removes a customer. */
export default async function removeCustomer (fastify: FastifyInstance, { customers }: CustomerRoutesOptions) {
  // A body means nothing here (RFC 9110 §9.3.5), whatever its type.
  fastify.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true })

  fastify.delete<{ Params: CustomerPath }>('/rest/qa/customer/:customerid', { schema, config: { scope: 'customer:delete' } }, async (request, reply) => {
    const id = parseId(request.params.customerid)
    refuseIfNoneMatch(request)
    const versions = parseIfMatch(request.headers['if-match'])
    const { outcome } = await customers.remove(id, versions)
    if (outcome === 'unknown') throw customerUnknown(`There is no customer with the identifier ${id}.`)
    if (outcome === 'version differs') throw versionDiffers('If-Match holds no ETag of the customer as it is now. Nothing was changed.')
    return await reply.code(204).send()
  })
}
