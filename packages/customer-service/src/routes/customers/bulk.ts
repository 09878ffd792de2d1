import { queryOf } from '@frontdesk/service-kit/path'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { MAX_BULK, type Bulk } from '../../customer/bulk.js'
import { BulkReport } from '../../customer/bulk-report.js'
import { DryRun, parseDryRun } from '../../customer/dry-run.js'
import { mediaTypeUnsupported, queryInvalid } from '../../problems/request.js'
import { newOperationId } from '../../stores/operations/advance.js'
import { actorOf } from './actor.js'
import { customerFields } from './fields.js'
import { logBulk } from './log-write.js'
import { type Operation, always, ofJson, problems } from './responses.js'

const { customerid, ...fields } = customerFields
const Ids = Type.Array(Type.Integer(), { minItems: 1, maxItems: MAX_BULK, description: 'Customer numbers.' })

/** Enough for the numbers and the ETags of the maximum of customers. */
const bodyLimit = 65_536

const etags = Type.Optional(Type.Array(Type.String(), {
  description: 'The ETag of each customer, in the same order: those that have another one are not changed.'
}))

const BulkBody = Type.Union([
  Type.Object({ remove: Ids, etags }),
  Type.Object({ change: Type.Partial(Type.Object(fields), { description: 'At least one field, the same for all customers.' }), customers: Ids, etags })
], { examples: [{ change: { customeraddress: 'colombo' }, customers: [4711, 4712] }] })

const schema = {
  operationId: 'changeCustomers',
  summary: 'Change or remove many customers',
  description:
    'Removes the customers with these numbers, or changes the same fields of all of them, in one transaction: with `etags`, only those that nobody has changed since. The change is one operation, which can be undone. Removing also requires `customer:delete`.',
  tags: ['customer'],
  querystring: DryRun,
  body: BulkBody,
  response: {
    200: { description: 'Done; `failed` has the customers that were not changed or removed, each with a reason.', content: { 'application/json': { schema: BulkReport } } },
    ...problems(...always, ...ofJson, queryInvalid, mediaTypeUnsupported)
  }
}

/** `POST /rest/qa/customer/bulk` changes or removes many customers. */
const changeCustomers: Operation = async function changeCustomers (fastify, { bulk }) {
  const config = { scope: 'customer:write' } as const
  fastify.post<{ Body: Bulk }>('/rest/qa/customer/bulk', { schema, config, bodyLimit }, async (request, reply) => {
    const dryRun = parseDryRun(queryOf(request.url))
    if (request.body.kind === 'remove') request.requireScope('customer:delete')
    const report = await run(request, request.body, dryRun)
    logBulk(request, report)
    return await reply.header('Cache-Control', 'no-store').type('application/json; charset=utf-8').send(report)
  })

  async function run (request: FastifyRequest, wanted: Bulk, dryRun: boolean): Promise<BulkReport> {
    const { kind, targets } = wanted
    const actor = { ...actorOf(request), operationId: newOperationId() }
    const { done, failed } = dryRun
      ? await bulk.find(targets)
      : kind === 'remove' ? await bulk.remove(targets, actor) : await bulk.change(targets, wanted.change, actor)
    return {
      ...dryRun || done === 0 || !bulk.areRecorded ? {} : { operation: actor.operationId },
      ...kind === 'remove' ? { removed: done } : { changed: done },
      failed: failed.map(({ id, ...why }) => ({ customerid: id, ...why })),
      dryRun
    }
  }
}

export default changeCustomers
