import { customersLimit } from '../../services/limits.js'

/** Fastify and better-sqlite3, one prepared statement a request; the signature of a token is checked once. */
export default customersLimit('sqlite', { cache: true })
