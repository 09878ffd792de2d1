/**
 * The rows and their baselines in the same run, by the target's database (`other` without one).
 * The names in `of` are workloads of targets, where they differ from the row's.
 */
const token = { other: 'hand-written-token' }
const customers = { sqlite: 'fastify-better-sqlite3', postgresql: 'fastify-pg', other: 'bare-fastify' }

/** @type {Record<string, { title: string, baseline: Record<string, string>, connections?: number, of?: string }>} */
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
  get: { title: 'GET of a customer, with token', baseline: customers },
  'get-dpop': { title: 'GET of a customer, with a token that is bound to a key, and a DPoP proof', baseline: customers },
  post: { title: 'POST of a customer, with token', baseline: customers },
  put: { title: 'PUT of an address, with token', baseline: customers },
  delete: { title: 'DELETE of a customer, with token', baseline: customers },
  'authorize-single': { title: 'GET /authorize, one connection', baseline: { other: 'bare-fastify' }, connections: 1, of: 'authorize' },
  'authorize-512': { title: 'GET /authorize, 512 connections', baseline: { other: 'bare-fastify' }, connections: 512, of: 'authorize' },
  'get-single': { title: 'GET of a customer, one connection', baseline: customers, connections: 1, of: 'get' },
  'get-512': { title: 'GET of a customer, 512 connections', baseline: customers, connections: 512, of: 'get' },
  'post-single': { title: 'POST of a customer, one connection', baseline: customers, connections: 1, of: 'post' },
  'post-512': { title: 'POST of a customer, 512 connections', baseline: customers, connections: 512, of: 'post' }
}

/** The targets of a row, by name. */
export function namesWith (targets, workload) {
  const { of = workload } = workloads[workload]
  return [...targets].filter(([, target]) => target.workloads[of] !== undefined).map(([name]) => name)
}

/** Names for several rows. */
export const groups = {
  connections: ['authorize-single', 'authorize-512', 'get-single', 'get-512', 'post-single', 'post-512'],
  token: [
    'client-credentials', 'introspect', 'revoke', 'code-flow', 'code-exchange', 'code-exchange-openid', 'code-exchange-dpop', 'userinfo',
    'par', 'refresh'
  ]
}

/** Special measurements, each by the file of its name in `tools/bench/special`. */
export const specials = ['meanwhile', 'bearer', 'telemetry', 'recording', 'start', 'replicas']
