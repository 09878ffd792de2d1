/**
 * The rows: what each is compared with in the same run, by the database of the target (`other` where there is none).
 * The names in `of` are workloads of targets, where they differ from the row's.
 */
const customers = { sqlite: 'fastify-better-sqlite3', postgresql: 'fastify-pg', other: 'bare-fastify' }

/** @type {Record<string, { title: string, baseline: Record<string, string>, connections?: number, of?: string }>} */
export const workloads = {
  authorize: { title: 'GET /authorize, a valid request', baseline: { other: 'bare-fastify' } },
  consent: { title: 'consent form of a signed-in person → token', baseline: { other: 'hand-written-implicit' } },
  flow: { title: 'authorize, consent page and form, signed in (a flow, not a request)', baseline: { other: 'hand-written-implicit' } },
  'sign-in': { title: 'consent form with password → token', baseline: { other: 'bare-argon2id' } },
  get: { title: 'GET of a customer, with token', baseline: customers },
  post: { title: 'POST of a customer, with token', baseline: customers },
  put: { title: 'PUT of an address, with token', baseline: customers },
  delete: { title: 'DELETE of a customer, with token', baseline: customers },
  'get-single': { title: 'GET of a customer, one connection', baseline: customers, connections: 1, of: 'get' },
  'post-single': { title: 'POST of a customer, one connection', baseline: customers, connections: 1, of: 'post' }
}

/** What is measured in another way, each by the file of its name in `bench/special`. */
export const specials = ['meanwhile', 'bearer', 'start', 'replicas']
