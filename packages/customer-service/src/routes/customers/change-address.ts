import { Ambiguity } from '@frontdesk/schemas/customer'
import { Problem, PROBLEM_MEDIA_TYPE } from '@frontdesk/schemas/problem'
import { Type } from '@sinclair/typebox'
import { parseAddressChange } from '../../customer/forms.js'
import type { Fields } from '../../input/form.js'
import { customerUnknown, nameAmbiguous, nameDiffers } from '../../problems/customer.js'
import type { Mismatch } from '../../stores/customers/customers.js'
import { logWrite } from './log-write.js'
import { actorOf } from './actor.js'
import { customerFields } from './fields.js'
import { type Operation, always, empty, ofForm, ofWrite, problems } from './responses.js'
import { IfMatch, readIfMatch, versionError } from './if-match.js'

const AddressForm = Type.Object({
  customername: Type.String({ ...customerFields.customername, description: 'The customer whose address changes.' }),
  customeraddress: Type.String({ ...customerFields.customeraddress, description: 'The new address.', examples: ['colombo'] }),
  customerid: Type.Optional(Type.Integer({ ...customerFields.customerid, description: 'Selects one of several customers with that name.' }))
})

const schema = {
  operationId: 'changeAddressByName',
  summary: 'Change a customer\'s address by name',
  description:
    'Exactly one customer must have this name. If several do, nothing is changed, and the response explains how to select one.',
  tags: ['customer'],
  consumes: ['application/x-www-form-urlencoded'],
  headers: IfMatch,
  body: AddressForm,
  response: {
    204: empty('The address was changed.'),
    ...problems(...always, ...ofForm, ...ofWrite),
    409: {
      ...problems(nameAmbiguous, nameDiffers)[409],
      content: { [PROBLEM_MEDIA_TYPE]: { schema: Type.Intersect([Problem, Type.Partial(Ambiguity)]) } }
    }
  }
}

/** `PUT /rest/qa/customer` changes the address of the customer with a name. */
const changeAddress: Operation = async function changeAddress (fastify, { customers, hrefOf, requireIfMatch }) {
  fastify.put<{ Body: Fields }>('/rest/qa/customer', { schema, config: { scope: 'customer:write' } }, async (request, reply) => {
    const { address, ...who } = parseAddressChange(request.body)
    const versions = readIfMatch(request, requireIfMatch)
    const result = await customers.changeAddress({ ...who, versions }, address, actorOf(request))
    if (result.outcome !== 'changed') throw addressError(result, request.scopes.includes('customer:read'))
    logWrite(request, 'change-address', result.id)
    return await reply.code(204).send()
  })

  function addressError (mismatch: Mismatch, canRead: boolean) {
    switch (mismatch.outcome) {
      case 'unknown': return customerUnknown('No customer has this name or customerid. Nothing was changed.')
      case 'name differs': return nameDiffers('The customer with this customerid has another name. Nothing was changed.')
      case 'version differs': return versionError()
      case 'ambiguous': {
        const { total, ids } = mismatch
        const candidates = ids.map(id => ({ customerid: id, href: hrefOf(id) }))
        const members = { total, ...(canRead ? { candidates } : {}) } satisfies Ambiguity
        return nameAmbiguous(`${total} customers have this name. Nothing was changed. Send customerid too, to select one.`, { members })
      }
    }
  }
}

export default changeAddress
