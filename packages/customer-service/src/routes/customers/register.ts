import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { CustomerBody } from '../../customer/body.js'
import { identifyRequest } from '../../customer/idempotency.js'
import { parseRegistration } from '../../customer/forms.js'
import { makeEtag } from '../../input/etag.js'
import { readIdempotencyKey } from '../../input/idempotency-key.js'
import { customerExists } from '../../problems/customer.js'
import { idempotencyKeyInUse, idempotencyKeyMalformed, idempotencyKeyReused } from '../../problems/request.js'
import type { NewCustomer } from '../../stores/customers/customer-record.js'
import type { Stores } from '../../stores/open.js'
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
  fastify.post<{ Body: CustomerBody }>('/rest/qa/customer', { schema, config: { scope: 'customer:write' } }, async (request, reply) => {
    const customer = parseRegistration(request.body)
    const key = readIdempotencyKey(request.raw)
    const { version, isReplay } = await register({ customers, idempotency }, customer, key, request)
    if (isReplay) reply.header('Idempotent-Replayed', 'true')
    if (version === null) throw existsError(customer.id)
    return await reply.code(201).headers({ Location: hrefOf(customer.id), ETag: makeEtag(version, 'text') }).send()
  })
}

export default registerCustomer

/**
 * Adds a customer, and logs it. `version` is `null` if the identifier is already in use.
 * @param key with which a retry gets the first result; `null`: none
 * @throws ProblemError `idempotency-key-in-use`, `idempotency-key-reused`
 */
export async function register (
  { customers, idempotency }: Pick<Stores, 'customers' | 'idempotency'>, customer: NewCustomer, key: string | null, request: FastifyRequest
): Promise<{ version: number | null, isReplay: boolean }> {
  const { version, isReplay } = key === null
    ? { version: await customers.register(customer, actorOf(request)), isReplay: false }
    : await registerOnce(idempotency, customer, key, request)
  if (version !== null && !isReplay) logWrite(request, 'add', customer.id)
  return { version, isReplay }
}

/** Makes the error of an identifier that is in use. */
export function existsError (id: number) {
  return customerExists(`A customer with the identifier ${id} already exists. Nothing was changed.`)
}

async function registerOnce (idempotency: Stores['idempotency'], customer: NewCustomer, key: string, request: FastifyRequest) {
  const result = await idempotency.registerOnce(customer, identifyRequest(key, request.accessToken, customer), actorOf(request))
  switch (result.outcome) {
    case 'answered': return result
    case 'under way': throw idempotencyKeyInUse('The first request with this Idempotency-Key is in progress. Try again in a moment.')
    case 'other customer': throw idempotencyKeyReused(
      'This Idempotency-Key was already used with other values. Send a new key, or the original values. Nothing was changed.'
    )
  }
}
