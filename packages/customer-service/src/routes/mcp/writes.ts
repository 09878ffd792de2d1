import { Customer } from '@frontdesk/schemas/customer'
import { ListedCustomer } from '@frontdesk/schemas/customer-page'
import { Type } from '@sinclair/typebox'
import { parseIfMatch, type Versions } from '../../input/etag.js'
import { conditionMissing } from '../../problems/customer.js'
import { requestMalformed } from '../../problems/request.js'

/** Schema of the version to which a write applies. */
export const IfMatch = Type.String({
  description: 'The `etag` of the customer as you last read it.', examples: ListedCustomer.properties.etag.examples
})

/** Schema of what a write did. */
export const Written = Type.Object({
  customerid: Customer.properties.customerid,
  outcome: Type.String({ enum: ['registered', 'changed', 'removed', 'restored'] }),
  etag: Type.Optional(ListedCustomer.properties.etag),
  isReplay: Type.Optional(Type.Boolean({ description: 'Whether an earlier call with this idempotencyKey did it.' }))
})

/**
 * Reads the version to which a write applies. Assistants lose the quotes of ETags, and `*` would match a version that they have
 * not read.
 * @throws ProblemError `request-malformed`, `condition-missing`
 */
export function readEtag (value: unknown): Versions {
  if (value === undefined) throw conditionMissing('Send ifMatch with the etag of your last read. Nothing was changed.')
  const versions = typeof value === 'string' ? parseIfMatch(value.replace(/^"?(.*?)"?$/s, '"$1"')) : undefined
  if (versions === undefined) throw requestMalformed('ifMatch must be the etag as you read it, a string such as "12-json". Nothing was changed.')
  return versions
}
