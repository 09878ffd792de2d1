import { customersLimit } from '../../services/limits.js'

/** Fastify and pg, one prepared statement a request; the signature of the token is checked on each. */
export default customersLimit('postgresql', { cache: false, only: ['get', 'post'] })
