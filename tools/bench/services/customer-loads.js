import { headerOf } from '../load/ask.js'
import { bearer, customer, each, FORM, form, randomId, registered } from '../loads.js'
import { makeProofs } from './proofs.js'

const PATH = '/rest/qa/customer'

const isName = (status, head, body) => status === 200 && body.startsWith('Customer ')

/** Requests to customer-service, and to limits with the same interface. */
export const customerLoads = {
  get: async context => {
    const headers = bearer(context)
    return { requests: each(() => ({ path: `${PATH}/${randomId(context)}`, headers })), expect: isName }
  },
  'get-dpop': async context => {
    const proofs = makeProofs()
    const token = context.issuer.token({ cnf: { jkt: proofs.jkt } })
    const authorization = `DPoP ${token}`
    const address = path => ({ method: 'GET', url: `${context.issuer.audience}${path}`, token })
    const first = `${PATH}/1`
    const asked = await context.ask({ path: first, headers: { authorization, dpop: proofs.sign(address(first)) } })
    const [nonce] = headerOf(asked, 'dpop-nonce')
    const request = path => ({ path, headers: { authorization, dpop: proofs.sign({ ...address(path), nonce }) } })
    return { requests: each(() => request(`${PATH}/${randomId(context)}`)), expect: isName }
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
  patch: async context => {
    const headers = { ...bearer(context), 'content-type': 'application/merge-patch+json', 'if-match': '*' }
    const body = () => JSON.stringify({ customeraddress: `${Math.floor(Math.random() * 1e6)} Low Street, Springfield` })
    return { requests: each(() => ({ method: 'PATCH', path: `${PATH}/${randomId(context)}`, headers, body: body() })), expect: 204 }
  },
  list: async context => {
    const headers = bearer(context)
    return {
      requests: each(() => ({ path: PATH, headers })),
      expect: (status, head, body) => status === 200 && body.includes('"customername":"Customer 50"')
    }
  },
  search: async context => {
    const headers = bearer(context)
    return {
      requests: each(() => ({ path: `${PATH}?name=Customer%20${randomId(context)}`, headers })),
      expect: (status, head, body) => status === 200 && body.includes('"customername":"Customer ')
    }
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
