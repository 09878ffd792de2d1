import { customersLimit } from '../../services/limits.js'

/** Fastify and pg, a prepared statement for each request; verifies a token's signature once. */
export default customersLimit('postgresql', { cache: true })
