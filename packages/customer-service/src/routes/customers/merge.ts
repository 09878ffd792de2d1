import { Type } from '@sinclair/typebox'
import { CustomerPath, parseId } from '../../customer/id.js'
import { parseMerge } from '../../customer/merge.js'
import { Merged } from '../../customer/merged.js'
import { makeEtag, type Versions } from '../../input/etag.js'
import type { Members } from '../../input/json.js'
import { conditionMissing, customerMerged, versionDiffers } from '../../problems/customer.js'
import type { ProblemError } from '../../problems/define.js'
import { mediaTypeUnsupported, queryInvalid } from '../../problems/request.js'
import { actorOf } from './actor.js'
import { customerFields } from './fields.js'
import { IfMatch, mismatchError, readIfMatch } from './if-match.js'
import { logWrite } from './log-write.js'
import { explainUnknown } from './merged.js'
import { refuseParameters } from './no-parameters.js'
import { type Operation, always, ofJson, ofWrite, problems } from './responses.js'

const { customerid, ...values } = customerFields

const Merge = Type.Object({
  from: Type.Integer({ description: 'The customer to merge into this one.' }),
  fromEtag: Type.Optional(Type.String({ description: 'Its ETag: if it has changed since, nothing is merged.' })),
  ...Type.Partial(Type.Object(values)).properties
}, { description: 'Values that are left out stay as they are.', examples: [{ from: 4712, customeraddress: 'colombo' }] })

const schema = {
  operationId: 'mergeCustomer',
  summary: 'Merge another customer into this one',
  description:
    'Atomically sets the values that are sent, and removes the other customer. Its number responds 410 with the `successor` from then on, its history becomes part of this one\'s, and erasing this one erases both. Requires `customer:write` and `customer:delete`.',
  tags: ['customer'],
  params: CustomerPath,
  headers: IfMatch,
  body: { content: { 'application/json': { schema: Merge } } },
  response: {
    200: { description: 'Merged.', content: { 'application/json': { schema: Merged } } },
    ...problems(...always, ...ofJson, ...ofWrite, queryInvalid, customerMerged, mediaTypeUnsupported)
  }
}

/** `POST /rest/qa/customer/{customerid}/merge` merges another customer into this one. */
const mergeCustomer: Operation = async function mergeCustomer (fastify, { customers, history, hrefOf, requireIfMatch }) {
  fastify.addHook('onRequest', refuseParameters)
  const [path, config] = ['/rest/qa/customer/:customerid/merge', { scope: 'customer:write customer:delete' }] as const
  fastify.post<{ Params: CustomerPath, Body: Members }>(path, { schema, config }, async (request, reply) => {
    const id = parseId(request.params.customerid)
    const { from, versions = whenMissing(), values } = parseMerge(request.body, id)
    const into = { id, versions: readIfMatch(request, requireIfMatch) }
    const result = await customers.merge({ into, from: { id: from, versions }, values }, actorOf(request))
    if (result.outcome !== 'merged') throw result.id === from ? await refuse(result) : mismatchError(result.outcome, result.id)
    logWrite(request, 'merge', id)
    const { operationId, version } = result
    return await reply.header('Cache-Control', 'no-store').type('application/json; charset=utf-8').send({
      customerid: id, etag: makeEtag(version, 'json'), ...operationId === null ? {} : { operation: operationId }
    } satisfies Merged)
  })

  /** Makes the error about the customer to merge. */
  async function refuse ({ outcome, id }: { outcome: 'unknown' | 'version differs', id: number }): Promise<ProblemError> {
    if (outcome === 'unknown') return await explainUnknown(id, mismatchError(outcome, id), { history, hrefOf })
    return versionDiffers(`fromEtag is not the current ETag of customer ${id}. Nothing was changed.`)
  }

  function whenMissing (): Versions {
    if (requireIfMatch) throw conditionMissing('Send fromEtag with the ETag of your last read of that customer. Nothing was changed.')
    return 'any'
  }
}

export default mergeCustomer
