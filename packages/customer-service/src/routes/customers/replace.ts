import { Type } from '@sinclair/typebox'
import type { CustomerBody } from '../../customer/body.js'
import { parseReplacement } from '../../customer/changes.js'
import { CustomerPath, parseId } from '../../customer/id.js'
import { logWrite } from './log-write.js'
import { actorOf } from './actor.js'
import { customerFields, repeatedId } from './fields.js'
import { type Operation, always, empty, ofForm, ofJson, ofWrite, problems } from './responses.js'
import { IfMatch, readIfMatch, mismatchError } from './if-match.js'

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
  // Reports an invalid identifier before it reads the body.
  fastify.addHook<{ Params: CustomerPath }>('onRequest', async ({ params }) => { parseId(params.customerid) })

  const [path, config] = ['/rest/qa/customer/:customerid', { scope: 'customer:write' }] as const
  fastify.put<{ Params: CustomerPath, Body: CustomerBody }>(path, { schema, config }, async (request, reply) => {
    const id = parseId(request.params.customerid)
    const replacement = parseReplacement(request.body, id)
    const { outcome } = await customers.change(id, replacement, readIfMatch(request, requireIfMatch), actorOf(request))
    if (outcome !== 'changed') throw mismatchError(outcome, id)
    logWrite(request, 'replace', id)
    return await reply.code(204).send()
  })
}

export default replaceCustomer
