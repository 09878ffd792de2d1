import { IDEMPOTENCY_KEY_RULE, parseIdempotencyKey } from '@frontdesk/service-kit/idempotency-key'
import { Customer } from '@frontdesk/schemas/customer'
import { Type } from '@sinclair/typebox'
import { toBody } from '../../../customer/body.js'
import { parseRegistration } from '../../../customer/forms.js'
import { makeEtag } from '../../../input/etag.js'
import { idempotencyKeyMalformed } from '../../../problems/request.js'
import { existsError, register } from '../../customers/register.js'
import { defineTool } from '../tool.js'
import { Written } from '../writes.js'

/** `register_customer`: adds a customer, as `POST /rest/qa/customer` does. */
export const registerCustomer = defineTool({
  name: 'register_customer',
  title: 'Add a customer',
  description: 'Adds a customer with a number that you choose and that is not in use. It never overwrites a customer.',
  scope: 'customer:write',
  input: Type.Object({
    ...Customer.properties,
    idempotencyKey: Type.Optional(Type.String({
      description: 'Makes retries safe for 24 hours: with the same key and values, they get the same result, and one customer is added.'
    }))
  }),
  output: Written,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async run ({ idempotencyKey, ...values }, { request, stores }) {
    const customer = parseRegistration(toBody({ values, repeated: new Map() }))
    const { version, isReplay } = await register(stores, customer, readKey(idempotencyKey), request)
    if (version === null) throw existsError(customer.id)
    return { customerid: customer.id, outcome: 'registered', etag: makeEtag(version, 'json'), isReplay }
  }
})

function readKey (value: unknown): string | null {
  if (value === undefined) return null
  const key = typeof value === 'string' ? parseIdempotencyKey([value]) : undefined
  if (key === undefined) throw idempotencyKeyMalformed(IDEMPOTENCY_KEY_RULE.replace('Idempotency-Key', 'idempotencyKey'))
  return key
}
