import { customersLimit } from '../../services/limits.js'

/** Fastify and better-sqlite3, one prepared statement a request; the signature of the token is checked on each. */
export default customersLimit('sqlite', { cache: false, only: ['get', 'post'] })
