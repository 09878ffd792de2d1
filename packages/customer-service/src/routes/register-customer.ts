import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { parseRegistration } from '../customer/forms.js'
import { makeEtag } from '../input/etag.js'
import type { Fields } from '../input/form.js'
import { customerExists } from '../problems/customer.js'
import type { CustomerRoutesOptions } from './customer-options.js'
import { always, empty, problems } from './responses.js'

/** The form that registers a customer. */
const RegistrationForm = Type.Object({
  customerid: Type.Integer({ minimum: 1, maximum: 2147483647 }),
  customername: Type.String({ minLength: 1, maxLength: 100 }),
  customerage: Type.Integer({ minimum: 0, maximum: 150 }),
  customeraddress: Type.String({ minLength: 1, maxLength: 200 })
})

const schema = {
  summary: 'Add a customer',
  tags: ['customer'],
  consumes: ['application/x-www-form-urlencoded'],
  body: RegistrationForm,
  response: { 201: empty('Added. Location says where the customer is, ETag is that of the name.'), ...problems(...always, 400, 409, 415) }
}

/** `POST /rest/qa/customer` adds a customer. */
export default async function registerCustomer (fastify: FastifyInstance, { customers, hrefOf }: CustomerRoutesOptions) {
  fastify.post<{ Body: Fields }>('/rest/qa/customer', { schema, config: { scope: 'customer:write' } }, async (request, reply) => {
    const customer = parseRegistration(request.body)
    const version = await customers.register(customer)
    if (version === null) throw customerExists(`A customer with the identifier ${customer.id} is registered already. Nothing was changed.`)
    return await reply.code(201).headers({ Location: hrefOf(customer.id), ETag: makeEtag(version, 'text') }).send()
  })
}
