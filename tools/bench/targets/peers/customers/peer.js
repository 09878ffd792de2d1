import { bearer, customer, each, randomId, registered } from '../../../loads.js'
import { inClone } from '../../../services/place.js'
import { fileOf, loadTable } from './table.js'

const JSON_BODY = { 'content-type': 'application/json' }
const isDone = status => status >= 200 && status < 300

/**
 * A typical customer API with packages from npm: JSON at `/customers` and `/customers/{id}`, the stack's usual middleware that
 * verifies a JWT on each request, and its default durability.
 * @param {string} program a file of `tools/bench/targets/peers/customers/programs`
 * @param {'sqlite' | 'postgresql'} database
 * @param {Partial<import('../../../target.js').Target>} [differences]
 * @returns {import('../../../target.js').Target}
 */
export function customerPeer (program, database, differences) {
  return {
    group: 'peer',
    database,
    prepare: loadTable,
    start: context => ({
      args: [inClone(`tools/bench/targets/peers/customers/programs/${program}.js`)],
      env: {
        PORT: String(context.port),
        ...(context.databaseUrl === undefined ? { DATABASE_FILE: fileOf(context) } : { DATABASE_URL: context.databaseUrl }),
        KEY_FILE: context.issuer.keyFile,
        ISSUER: context.issuer.url,
        AUDIENCE: context.issuer.audience
      }
    }),
    workloads: { get, post, put, delete: remove },
    ...differences
  }
}

async function get (context) {
  const headers = bearer(context)
  return { requests: each(() => ({ path: `/customers/${randomId(context)}`, headers })), expect: 200 }
}

async function post (context) {
  const headers = { ...bearer(context), ...JSON_BODY }
  const body = () => JSON.stringify(customer(context.next()))
  return { requests: each(() => ({ method: 'POST', path: '/customers', headers, body: body() })), expect: isDone }
}

async function put (context) {
  const headers = { ...bearer(context), ...JSON_BODY }
  const moved = id => ({
    method: 'PUT',
    path: `/customers/${id}`,
    headers,
    body: JSON.stringify({ ...customer(id), address: lowStreet() })
  })
  return { requests: each(() => moved(randomId(context))), expect: isDone }
}

const lowStreet = () => `${Math.floor(Math.random() * 1e6)} Low Street, Springfield`

async function remove (context) {
  return { requests: deletions(context, bearer(context)), expect: isDone }
}

function * deletions (context, headers) {
  for (const id of registered(context)) yield { method: 'DELETE', path: `/customers/${id}`, headers }
}
