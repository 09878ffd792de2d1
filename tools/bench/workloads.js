/** The rows and their baselines in the same run, by the target's database (`other` without one). */
const token = { other: 'hand-written-token' }
const customers = { sqlite: 'fastify-better-sqlite3', postgresql: 'fastify-pg', other: 'bare-fastify' }

/** @type {Record<string, { title: string, baseline: Record<string, string> }>} */
export const workloads = {
  authorize: { title: 'GET /authorize, a valid request', baseline: { other: 'bare-fastify' } },
  account: { title: 'GET /account of a signed-in person', baseline: { other: 'hand-written-implicit' } },
  consent: { title: 'consent form of a signed-in person → token', baseline: { other: 'hand-written-implicit' } },
  flow: { title: 'authorize, consent page and form, signed in (a flow, not a request)', baseline: { other: 'hand-written-implicit' } },
  'sign-in': { title: 'consent form with password → token', baseline: { other: 'bare-argon2id' } },
  'client-credentials': { title: 'POST /token, client credentials', baseline: token },
  introspect: { title: 'POST /introspect, a live access token', baseline: token },
  revoke: { title: 'client credentials, then POST /revoke (two requests)', baseline: token },
  'code-flow': { title: 'signed in, consent remembered: the flow up to the code', baseline: token },
  'code-exchange': { title: 'the same flow, then the exchange of the code', baseline: token },
  'code-exchange-openid': { title: 'the same with the scope openid: an ID token, too (RS256)', baseline: token },
  'code-exchange-dpop': { title: 'the same exchange with a DPoP proof: tokens bound to a key', baseline: token },
  userinfo: { title: 'GET /userinfo', baseline: token },
  par: { title: 'POST /par, a pushed request', baseline: token },
  refresh: { title: 'POST /token, refresh token', baseline: token },
  device: { title: 'device authorization request, code and consent of a signed-in user, poll (four requests)', baseline: token },
  get: { title: 'GET of a customer, with token', baseline: customers },
  'get-dpop': { title: 'GET of a customer, with a token that is bound to a key, and a DPoP proof', baseline: customers },
  list: { title: 'the first page of customers, 50, as JSON', baseline: customers },
  search: { title: 'customers by their whole name, as JSON', baseline: customers },
  post: { title: 'POST of a customer, with token', baseline: customers },
  put: { title: 'PUT of an address, with token', baseline: customers },
  patch: { title: 'PATCH of an address, with token', baseline: customers },
  delete: { title: 'DELETE of a customer, with token', baseline: customers }
}

/** The targets of a row, by name. */
export function namesWith (targets, workload) {
  return [...targets].filter(([, target]) => target.workloads[workload] !== undefined).map(([name]) => name)
}

/** A row's name: `get, 256 connections`. */
export function rowName (workload, connections) {
  return `${workload}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`
}

/** Names for several rows. */
export const groups = {
  token: [
    'client-credentials', 'introspect', 'revoke', 'code-flow', 'code-exchange', 'code-exchange-openid', 'code-exchange-dpop', 'userinfo',
    'par', 'refresh', 'device'
  ]
}

/** Special measurements, each by the file of its name in `tools/bench/special`. */
export const specials = ['meanwhile', 'bearer', 'telemetry', 'recording', 'start', 'replicas']
