import { customersLimit } from '../../services/limits.js'

/** Fastify and better-sqlite3, one durable transaction a request, which updates the full-text index, too. */
export default customersLimit('sqlite', { cache: true, indexed: true })
