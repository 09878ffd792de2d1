import { Type, type Static } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { CustomerPath, parseId } from '../../customer/id.js'
import { makeEtag, type Versions } from '../../input/etag.js'
import { conditionMissing, customerExists, customerMerged, customerUnknown } from '../../problems/customer.js'
import { mediaTypeUnsupported, queryInvalid } from '../../problems/request.js'
import type { Stores } from '../../stores/open.js'
import { logWrite } from './log-write.js'
import { actorOf } from './actor.js'
import { IfMatch, readIfMatch, mismatchError } from './if-match.js'
import { refuseParameters } from './no-parameters.js'
import { type Operation, always, empty, ofWrite, problems } from './responses.js'

const Path = Type.Composite([CustomerPath, Type.Object({
  version: Type.String({
    description: '`version` in the history. A removal\'s version restores the values before it.', examples: ['554839195']
  })
})])

const schema = {
  operationId: 'restoreCustomer',
  summary: 'Restore a customer from its history',
  description:
    'Restores the name, age and address that the version has. A removed customer is added again if its number is free; another customer with that number is not changed.',
  tags: ['customer'],
  params: Path,
  headers: IfMatch,
  response: {
    201: empty('Added again. Location is the customer\'s address, and ETag the version of its text representation.'),
    204: empty('Changed.'),
    ...problems(...always, ...ofWrite, queryInvalid, customerMerged, customerExists, mediaTypeUnsupported)
  }
}

/** `POST /rest/qa/customer/{customerid}/history/{version}/restore` restores a customer from its history. */
const restoreCustomer: Operation = async function restoreCustomer (fastify, { customers, hrefOf, requireIfMatch }) {
  fastify.addHook('onRequest', refuseParameters)
  const path = '/rest/qa/customer/:customerid/history/:version/restore'
  fastify.post<{ Params: Static<typeof Path> }>(path, { schema, config: { scope: 'customer:write' } }, async (request, reply) => {
    const id = parseId(request.params.customerid)
    const versions = readIfMatch(request, requireIfMatch)
    const restored = await restore(customers, { id, version: request.params.version, versions }, request)
    if (restored.outcome === 'changed') return await reply.code(204).send()
    return await reply.code(201).headers({ Location: hrefOf(id), ETag: makeEtag(restored.version, 'text') }).send()
  })
}

export default restoreCustomer

/** A customer that has one of the `versions`, or was removed, and the version in its history to restore. */
interface Wanted { id: number, version: string, versions: Versions | 'removed' }

/**
 * Restores a customer from its history, and logs it.
 * @throws ProblemError `customer-unknown`, `version-differs`, `condition-missing`, `customer-exists`
 */
export async function restore (customers: Stores['customers'], { id, version, versions }: Wanted, request: FastifyRequest) {
  const isVersion = /^(0|[1-9][0-9]{0,9})$/.test(version) && Number(version) <= 2147483647
  const unknown = customerUnknown(`The history of customer ${id} does not have this version.`)
  if (!isVersion) throw unknown
  const result = await customers.restore(id, Number(version), versions, actorOf(request))
  switch (result.outcome) {
    case 'unknown': throw unknown
    case 'version differs': throw mismatchError(result.outcome, id)
    case 'exists': throw conditionMissing(`The customer ${id} exists. Read it, and send its etag as ifMatch. Nothing was changed.`)
    case 'other customer': throw customerExists(
      `The customer ${id} was removed after this version, and the number may be another person's now. Nothing was changed. Remove that customer first.`)
  }
  logWrite(request, 'restore', id)
  return result
}
