import { bearer, customer, each, FORM, form, randomId, registered } from '../loads.js'

const PATH = '/rest/qa/customer'

const isName = (status, head, body) => status === 200 && body.startsWith('Customer ')

/** What is sent to customer-service, and to limits that have the same interface. */
export const customerLoads = {
  get: async context => {
    const headers = bearer(context)
    return { requests: each(() => ({ path: `${PATH}/${randomId(context)}`, headers })), expect: isName }
  },
  post: async context => {
    const headers = { ...bearer(context), ...FORM }
    return { requests: each(() => ({ method: 'POST', path: PATH, headers, body: registration(context.next()) })), expect: 201 }
  },
  put: async context => {
    const headers = { ...bearer(context), ...FORM }
    const body = id =>
      form({ customername: `Customer ${id}`, customeraddress: `${Math.floor(Math.random() * 1e6)} Low Street, Springfield` })
    return { requests: each(() => ({ method: 'PUT', path: PATH, headers, body: body(randomId(context)) })), expect: 204 }
  },
  delete: async context => {
    const headers = bearer(context)
    return { requests: deletions(context, headers), expect: 204 }
  }
}

function registration (id) {
  const { name, age, address } = customer(id)
  return form({ customerid: id, customername: name, customerage: age, customeraddress: address })
}

function * deletions (context, headers) {
  for (const id of registered(context)) yield { method: 'DELETE', path: `${PATH}/${id}`, headers }
}
