import { customersLimit } from '../../services/limits.js'

/** Fastify and pg, one prepared statement a request; the signature of a token is checked once. */
export default customersLimit('postgresql', { cache: true })
