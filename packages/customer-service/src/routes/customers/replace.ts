import { Type } from '@sinclair/typebox'
import type { CustomerBody } from '../../customer/body.js'
import { parseReplacement } from '../../customer/changes.js'
import { CustomerPath, parseId } from '../../customer/id.js'
import { makeEtag } from '../../input/etag.js'
import { customerMerged, customerPresent } from '../../problems/customer.js'
import { queryInvalid } from '../../problems/request.js'
import { logWrite } from './log-write.js'
import { actorOf } from './actor.js'
import { customerFields, repeatedId } from './fields.js'
import { type Operation, always, empty, ofForm, ofJson, ofWrite, problems } from './responses.js'
import { mismatchError, mustAdd, readIfMatch, WriteCondition } from './if-match.js'
import { refuseParameters } from './no-parameters.js'

const Replacement = Type.Object({ ...customerFields, customerid: repeatedId }, {
  examples: [{ customername: 'charitha', customerage: 34, customeraddress: 'colombo' }]
})

const schema = {
  operationId: 'replaceCustomer',
  summary: 'Replace a customer, or add one',
  description: 'Replaces everything but the identifier. With `If-None-Match: *`, adds a customer instead, and never replaces one.',
  tags: ['customer'],
  params: CustomerPath,
  headers: WriteCondition,
  body: { content: { 'application/json': { schema: Replacement }, 'application/x-www-form-urlencoded': { schema: Replacement } } },
  response: {
    201: empty('Added, with `If-None-Match: *`. Location is the customer\'s address, and ETag the version of its text representation.'),
    204: empty('Replaced.'),
    ...problems(...always, ...ofJson, ...ofForm, ...ofWrite, queryInvalid, customerMerged, customerPresent)
  }
}

/** `PUT /rest/qa/customer/{customerid}` replaces a customer or, with `If-None-Match: *`, adds one. */
const replaceCustomer: Operation = async function replaceCustomer (fastify, { customers, hrefOf, requireIfMatch }) {
  // Reports an invalid identifier before it reads the body.
  fastify.addHook<{ Params: CustomerPath }>('onRequest', async ({ params }) => { parseId(params.customerid) })
  fastify.addHook('onRequest', refuseParameters)

  const [path, config] = ['/rest/qa/customer/:customerid', { scope: 'customer:write' }] as const
  fastify.put<{ Params: CustomerPath, Body: CustomerBody }>(path, { schema, config }, async (request, reply) => {
    const id = parseId(request.params.customerid)
    const replacement = parseReplacement(request.body, id)
    if (mustAdd(request)) {
      const version = await customers.register({ id, ...replacement }, actorOf(request))
      if (version === null) throw customerPresent(`A customer with the identifier ${id} already exists. Nothing was changed.`)
      logWrite(request, 'add', id)
      return await reply.code(201).headers({ Location: hrefOf(id), ETag: makeEtag(version, 'text') }).send()
    }
    const { outcome } = await customers.change(id, replacement, readIfMatch(request, requireIfMatch), actorOf(request))
    if (outcome !== 'changed') throw mismatchError(outcome, id)
    logWrite(request, 'replace', id)
    return await reply.code(204).send()
  })
}

export default replaceCustomer
