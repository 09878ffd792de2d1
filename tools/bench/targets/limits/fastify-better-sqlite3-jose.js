import { customersLimit } from '../../services/limits.js'

/** Fastify and better-sqlite3, a prepared statement for each request; verifies the token's signature each time. */
export default customersLimit('sqlite', { cache: false, only: ['get', 'post'] })
