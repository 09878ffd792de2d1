import { Customer } from '@frontdesk/schemas/customer'
import { Type } from '@sinclair/typebox'
import { makeEtag } from '../../../input/etag.js'
import { CustomerChange } from '../../customers/change.js'
import { restore } from '../../customers/restore.js'
import { asText, takeId } from '../arguments.js'
import { defineTool } from '../tool.js'
import { IfMatch, readEtag, Written } from '../writes.js'

/** `restore_customer`: restores a customer, as `POST /rest/qa/customer/{customerid}/history/{version}/restore` does. */
export const restoreCustomer = defineTool({
  name: 'restore_customer',
  title: 'Restore a customer from its history',
  description: 'Overwrites a customer with the name, age and address of a version in its history. A removed customer is added again, ' +
    'without ifMatch; for any other, ifMatch is required. The version of a removal restores the values before it.',
  scope: 'customer:write',
  input: Type.Object({
    customerid: Customer.properties.customerid, version: CustomerChange.properties.version, ifMatch: Type.Optional(IfMatch)
  }),
  output: Written,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  async run (args, { request, stores: { customers } }) {
    const { id, rest: { version, ifMatch } } = takeId(args)
    const versions = ifMatch === undefined ? 'removed' : readEtag(ifMatch)
    const restored = await restore(customers, { id, version: asText(version), versions }, request)
    return { customerid: id, outcome: 'restored', ...restored.outcome === 'added' && { etag: makeEtag(restored.version, 'json') } }
  }
})
