import { Customer } from '@frontdesk/schemas/customer'
import { Type } from '@sinclair/typebox'
import { toBody } from '../../../customer/body.js'
import { parsePatch } from '../../../customer/changes.js'
import { change } from '../../customers/patch.js'
import { takeId } from '../arguments.js'
import { defineTool } from '../tool.js'
import { IfMatch, readEtag, Written } from '../writes.js'

const { customerid, ...fields } = Customer.properties

/** `change_customer`: changes some fields of a customer, as `PATCH /rest/qa/customer/{customerid}` does. */
export const changeCustomer = defineTool({
  name: 'change_customer',
  title: 'Change a customer',
  description: 'Overwrites the name, age or address of a customer, and keeps the fields that you leave out. ' +
    'Fails if someone changed the customer since you read it: read it again.',
  scope: 'customer:write',
  input: Type.Object({ customerid, ifMatch: IfMatch, ...Type.Partial(Type.Object(fields)).properties }),
  output: Written,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async run (args, { request, stores: { customers } }) {
    const { id, rest: { ifMatch, ...values } } = takeId(args)
    const patch = parsePatch(toBody({ values, repeated: new Map() }), id)
    await change(customers, { id, versions: readEtag(ifMatch) }, patch, request)
    return { customerid: id, outcome: 'changed' }
  }
})
