import { customersLimit } from '../../services/limits.js'

/** Fastify and better-sqlite3, a prepared statement for each request; verifies a token's signature once. */
export default customersLimit('sqlite', { cache: true })
