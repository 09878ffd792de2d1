import { Type } from '@sinclair/typebox'
import type { CustomerBody } from '../../customer/body.js'
import { parseReplacement } from '../../customer/changes.js'
import { CustomerPath, parseId } from '../../customer/id.js'
import { logWrite } from './log-write.js'
import { actorOf } from './actor.js'
import { customerFields, repeatedId } from './fields.js'
import { type Operation, always, empty, ofForm, ofJson, ofWrite, problems } from './responses.js'
import { IfMatch, readIfMatch, mismatchError } from './if-match.js'

/** The new values of a customer. */
const Replacement = Type.Object({ ...customerFields, customerid: repeatedId }, {
  examples: [{ customername: 'charitha', customerage: 34, customeraddress: 'colombo' }]
})

const schema = {
  operationId: 'replaceCustomer',
  summary: 'Replace a customer',
  description: 'Replaces everything but the identifier. Never adds a customer.',
  tags: ['customer'],
  params: CustomerPath,
  headers: IfMatch,
  body: { content: { 'application/json': { schema: Replacement }, 'application/x-www-form-urlencoded': { schema: Replacement } } },
  response: { 204: empty('Replaced.'), ...problems(...always, ...ofJson, ...ofForm, ...ofWrite) }
}

/** `PUT /rest/qa/customer/{customerid}` replaces a customer. */
const replaceCustomer: Operation = async function replaceCustomer (fastify, { customers, requireIfMatch }) {
  // An unknown identifier is reported before the body is read.
  fastify.addHook<{ Params: CustomerPath }>('onRequest', async ({ params }) => { parseId(params.customerid) })

  fastify.put<{ Params: CustomerPath, Body: CustomerBody }>('/rest/qa/customer/:customerid', {
    schema,
    config: { scope: 'customer:write' }
  }, async (request, reply) => {
    const id = parseId(request.params.customerid)
    const replacement = parseReplacement(request.body, id)
    const { outcome } = await customers.change(id, replacement, readIfMatch(request, requireIfMatch), actorOf(request))
    if (outcome !== 'changed') throw mismatchError(outcome, id)
    logWrite(request, 'replace', id)
    return await reply.code(204).send()
  })
}

export default replaceCustomer
