/** What targets share of the requests that they are sent. */

/** The same request again and again. */
export function * repeat (request) {
  for (;;) yield request
}

/** Requests made one by one: `make()` is called for each. */
export function * each (make) {
  for (;;) yield make()
}

/** A customer id from 1 to `customers`, any as likely as any other. */
export function randomId ({ customers }) {
  return 1 + Math.floor(Math.random() * customers)
}

/** Header of a request with a bearer token, and of a form. */
export const bearer = ({ token }) => ({ authorization: `Bearer ${token}` })
export const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** The customer with an id, as every target loads it: names are different ones. */
export function customer (id) {
  return { id, name: `Customer ${id}`, age: id % 100, address: `${id % 1000} High Street, Springfield` }
}

/** An object as a form. */
export function form (fields) {
  return new URLSearchParams(fields).toString()
}

/** Ids that were registered during the run and not deleted yet, each once. */
export function * registered (context) {
  while (context.undeleted() > 0) yield context.nextDeleted()
}
