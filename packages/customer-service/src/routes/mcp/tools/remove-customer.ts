import { Customer } from '@frontdesk/schemas/customer'
import { Type } from '@sinclair/typebox'
import { remove } from '../../customers/remove.js'
import { takeId } from '../arguments.js'
import { defineTool } from '../tool.js'
import { IfMatch, readEtag, Written } from '../writes.js'

/** `remove_customer`: removes a customer, as `DELETE /rest/qa/customer/{customerid}` does. */
export const removeCustomer = defineTool({
  name: 'remove_customer',
  title: 'Remove a customer',
  description: 'Removes a customer. restore_customer brings it back while its history is kept. ' +
    'Fails if someone changed the customer since you read it: read it again.',
  scope: 'customer:delete',
  input: Type.Object({ customerid: Customer.properties.customerid, ifMatch: IfMatch }),
  output: Written,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async run (args, { request, stores: { customers } }) {
    const { id, rest: { ifMatch } } = takeId(args)
    await remove(customers, id, readEtag(ifMatch), request)
    return { customerid: id, outcome: 'removed' }
  }
})
