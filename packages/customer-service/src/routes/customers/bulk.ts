import { queryOf } from '@frontdesk/service-kit/path'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { MAX_BULK, type Bulk } from '../../customer/bulk.js'
import { BulkReport } from '../../customer/bulk-report.js'
import { oneOf, parseQuery } from '../../customer/query.js'
import { mediaTypeUnsupported, queryInvalid } from '../../problems/request.js'
import { newOperationId } from '../../stores/operations/advance.js'
import { actorOf } from './actor.js'
import { customerFields } from './fields.js'
import { logBulk } from './log-write.js'
import { type Operation, always, ofJson, problems } from './responses.js'

const { customerid, ...fields } = customerFields
const Ids = Type.Array(Type.Integer(), { minItems: 1, maxItems: MAX_BULK, description: 'Customer numbers.' })

const BulkBody = Type.Union([
  Type.Object({ remove: Ids }),
  Type.Object({ change: Type.Partial(Type.Object(fields), { description: 'At least one field, the same for all customers.' }), customers: Ids })
], { examples: [{ change: { customeraddress: 'colombo' }, customers: [4711, 4712] }] })

const schema = {
  operationId: 'changeCustomers',
  summary: 'Change or remove many customers',
  description:
    'Removes the customers with these numbers, or changes the same fields of all of them, in one transaction: whatever their versions are. The change is one operation, which can be undone. Removing also requires `customer:delete`.',
  tags: ['customer'],
  querystring: Type.Object({
    dry_run: Type.Optional(Type.Boolean({ default: false, description: 'Reports what would happen and changes nothing.' }))
  }),
  body: BulkBody,
  response: {
    200: { description: 'Done; `failed` has the numbers without a customer.', content: { 'application/json': { schema: BulkReport } } },
    ...problems(...always, ...ofJson, queryInvalid, mediaTypeUnsupported)
  }
}

/** `POST /rest/qa/customer/bulk` changes or removes many customers. */
const changeCustomers: Operation = async function changeCustomers (fastify, { bulk }) {
  const config = { scope: 'customer:write' } as const
  fastify.post<{ Body: Bulk }>('/rest/qa/customer/bulk', { schema, config }, async (request, reply) => {
    const dryRun = parseQuery(queryOf(request.url), { dry_run: oneOf(['true', 'false']) }).dry_run === 'true'
    if (request.body.kind === 'remove') request.requireScope('customer:delete')
    const report = await run(request, request.body, dryRun)
    logBulk(request, report)
    return await reply.header('Cache-Control', 'no-store').type('application/json; charset=utf-8').send(report)
  })

  async function run (request: FastifyRequest, wanted: Bulk, dryRun: boolean): Promise<BulkReport> {
    const { kind, ids } = wanted
    const actor = { ...actorOf(request), operationId: newOperationId() }
    const found = dryRun ? await bulk.find(ids) : kind === 'remove' ? await bulk.remove(ids, actor) : await bulk.change(ids, wanted.change, actor)
    return {
      ...dryRun || found.size === 0 || !bulk.areRecorded ? {} : { operation: actor.operationId },
      ...kind === 'remove' ? { removed: found.size } : { changed: found.size },
      failed: ids.filter(id => !found.has(id)).map(customerid => ({ customerid, reason: 'unknown' })),
      dryRun
    }
  }
}

export default changeCustomers
