/** Requests that targets share. */

/** Repeats a request. */
export function * repeat (request) {
  for (;;) yield request
}

/** Calls `make()` for each request. */
export function * each (make) {
  for (;;) yield make()
}

/** A random customer id from 1 to `customers`. */
export function randomId ({ customers }) {
  return 1 + Math.floor(Math.random() * customers)
}

/** Headers of a request with a bearer token, and of a form. */
export const bearer = ({ token }) => ({ authorization: `Bearer ${token}` })
export const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** The customer with an id, the same for every target. Names are unique. */
export function customer (id) {
  return { id, name: `Customer ${id}`, age: id % 100, address: `${id % 1000} High Street, Springfield` }
}

/** An object as a form. */
export function form (fields) {
  return new URLSearchParams(fields).toString()
}

/** Ids that were added during the run and not deleted yet, each once. */
export function * registered (context) {
  while (context.undeleted() > 0) yield context.nextDeleted()
}
