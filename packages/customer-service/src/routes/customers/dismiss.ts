import { Type } from '@sinclair/typebox'
import { parsePair } from '../../customer/duplicates-query.js'
import type { Members } from '../../input/json.js'
import { customerMerged, customerUnknown } from '../../problems/customer.js'
import type { ProblemError } from '../../problems/define.js'
import { mediaTypeUnsupported, queryInvalid } from '../../problems/request.js'
import { mismatchError } from './if-match.js'
import { logWrite } from './log-write.js'
import { explainUnknown } from './merged.js'
import { refuseParameters } from './no-parameters.js'
import { type Operation, always, empty, ofJson, problems } from './responses.js'

const Dismissal = Type.Object({
  customers: Type.Array(Type.Integer(), { minItems: 2, maxItems: 2, description: 'The identifiers of both.', examples: [[4711, 4712]] })
})

const schema = {
  operationId: 'dismissDuplicate',
  summary: 'Mark two customers as different people',
  description: '`listDuplicates` omits the pair until one of the two changes, for a year at most.',
  tags: ['customer'],
  body: { content: { 'application/json': { schema: Dismissal } } },
  response: {
    204: empty('Dismissed.'),
    ...problems(...always, ...ofJson, queryInvalid, mediaTypeUnsupported, customerUnknown, customerMerged)
  }
}

/** `POST /rest/qa/customer/duplicates/dismiss` marks two customers as different people. */
const dismissDuplicate: Operation = async function dismissDuplicate (fastify, { customers, duplicates, history, hrefOf }) {
  fastify.addHook('onRequest', refuseParameters)
  const [path, config] = ['/rest/qa/customer/duplicates/dismiss', { scope: 'customer:write' }] as const
  fastify.post<{ Body: Members }>(path, { schema, config }, async (request, reply) => {
    const pair = parsePair(request.body)
    if (!await duplicates.dismiss(pair)) throw await explain(pair)
    for (const id of pair) logWrite(request, 'dismiss', id)
    return await reply.code(204).send()
  })

  /** Makes the error for a pair in which a customer does not exist. */
  async function explain ([one, other]: readonly [number, number]): Promise<ProblemError> {
    const id = await customers.find(one) === null ? one : other
    return await explainUnknown(id, mismatchError('unknown', id), { history, hrefOf })
  }
}

export default dismissDuplicate
