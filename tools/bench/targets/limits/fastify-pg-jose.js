import { customersLimit } from '../../services/limits.js'

/** Fastify and pg, a prepared statement for each request; verifies the token's signature each time. */
export default customersLimit('postgresql', { cache: false, only: ['get', 'post'] })
