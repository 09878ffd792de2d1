import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { identifyRequest } from '../../customer/idempotency.js'
import { parseRegistration } from '../../customer/forms.js'
import { makeEtag } from '../../input/etag.js'
import type { Fields } from '../../input/form.js'
import { readIdempotencyKey } from '../../input/idempotency-key.js'
import { customerExists } from '../../problems/customer.js'
import { idempotencyKeyInUse, idempotencyKeyMalformed, idempotencyKeyReused } from '../../problems/request.js'
import { logWrite } from './log-write.js'
import { actorOf } from './actor.js'
import { customerFields } from './fields.js'
import { type Operation, always, empty, ofForm, problems } from './responses.js'

const schema = {
  operationId: 'registerCustomer',
  summary: 'Add a customer',
  description: 'The caller chooses the identifier. If it is already in use, the request fails and nothing is overwritten.',
  tags: ['customer'],
  consumes: ['application/x-www-form-urlencoded'],
  headers: Type.Object({
    'idempotency-key': Type.Optional(
      Type.String({
        minLength: 1, maxLength: 257, description: 'Makes retries safe for 24 hours: they get the same response, and one customer is added.'
      })
    )
  }),
  body: Type.Object(customerFields),
  response: {
    201: empty('Added. Location is the customer\'s address, and ETag the version of its text representation.'),
    ...problems(...always, ...ofForm, idempotencyKeyMalformed, customerExists, idempotencyKeyInUse, idempotencyKeyReused)
  }
}

/** `POST /rest/qa/customer` adds a customer. */
const registerCustomer: Operation = async function registerCustomer (fastify, { customers, idempotency, hrefOf }) {
  fastify.post<{ Body: Fields }>('/rest/qa/customer', { schema, config: { scope: 'customer:write' } }, async (request, reply) => {
    const customer = parseRegistration(request.body)
    const key = readIdempotencyKey(request.raw)
    const { version, isReplay } = key === null
      ? { version: await customers.register(customer, actorOf(request)), isReplay: false }
      : await registerOnce(customer, key, request)
    if (isReplay) reply.header('Idempotent-Replayed', 'true')
    if (version === null) throw customerExists(`A customer with the identifier ${customer.id} already exists. Nothing was changed.`)
    if (!isReplay) logWrite(request, 'add', customer.id)
    return await reply.code(201).headers({ Location: hrefOf(customer.id), ETag: makeEtag(version, 'text') }).send()
  })

  async function registerOnce (customer: ReturnType<typeof parseRegistration>, key: string, request: FastifyRequest) {
    const result = await idempotency.registerOnce(customer, identifyRequest(key, request.accessToken, customer), actorOf(request))
    switch (result.outcome) {
      case 'answered': return result
      case 'under way': throw idempotencyKeyInUse('The first request with this Idempotency-Key is in progress. Try again in a moment.')
      case 'other customer': throw idempotencyKeyReused(
        'This Idempotency-Key was already used with other values. Send a new key, or the original values. Nothing was changed.'
      )
    }
  }
}

export default registerCustomer
