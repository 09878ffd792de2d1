import { Type, type Static } from '@sinclair/typebox'
import { CustomerPath, parseId } from '../../customer/id.js'
import { customerMerged, customerUnknown } from '../../problems/customer.js'
import { mediaTypeUnsupported, queryInvalid } from '../../problems/request.js'
import { logWrite } from './log-write.js'
import { actorOf } from './actor.js'
import { IfMatch, readIfMatch, mismatchError } from './if-match.js'
import { refuseParameters } from './no-parameters.js'
import { type Operation, always, ofStepUp, ofWrite, problems } from './responses.js'

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** A receipt without personal data. */
const Receipt = Type.Object({
  customerid: Type.Integer({ examples: [4711] }),
  erasedAt: Type.String({ format: 'date-time' }),
  removed: Type.Object({
    customers: count('1; 0 if the customer was removed before.'),
    changes: count('Changes in the history and the change feed.'),
    idempotencyKeys: count('Stored answers to requests with an Idempotency-Key.'),
    importReports: count('Reports of imports that named the number; they stay without it.')
  }),
  requestId: Type.String({ description: 'Names this request in the log.' })
})

const schema = {
  operationId: 'eraseCustomer',
  summary: 'Erase all data about a customer',
  description:
    'Atomically removes the customer, its history, its events and stored responses that contain it. Works for a removed customer too. The change feed gets one `erased` event.',
  tags: ['customer'],
  params: CustomerPath,
  headers: IfMatch,
  response: {
    200: { description: 'Erased.', content: { 'application/json': { schema: Receipt } } },
    ...problems(...always, ...ofStepUp, ...ofWrite, queryInvalid, customerMerged, mediaTypeUnsupported)
  }
}

/** `POST /rest/qa/customer/{customerid}/erase` erases all data about a customer. */
const eraseCustomer: Operation = async function eraseCustomer (fastify, { customers, requireIfMatch }) {
  fastify.addHook('onRequest', refuseParameters)
  const config = { scope: 'customer:delete', needsStepUp: true } as const
  fastify.post('/rest/qa/customer/:customerid/erase', { schema, config }, async (request, reply) => {
    const id = parseId(request.params.customerid)
    const result = await customers.erase(id, readIfMatch(request, requireIfMatch), actorOf(request))
    if (result.outcome === 'unknown') throw customerUnknown(`There is no data about a customer with the identifier ${id}.`)
    if (result.outcome !== 'erased') throw mismatchError(result.outcome, id)
    const { outcome, at, ...removed } = result
    logWrite(request, 'erase', id)
    return await reply.header('Cache-Control', 'no-store').type('application/json; charset=utf-8').send({
      customerid: id, erasedAt: at.toISOString(), removed, requestId: request.id
    } satisfies Static<typeof Receipt>)
  })
}

export default eraseCustomer
