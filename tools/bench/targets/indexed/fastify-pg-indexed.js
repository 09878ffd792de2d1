import { customersLimit } from '../../services/limits.js'

/** Fastify and pg, one statement a request, which updates the full-text index, too. */
export default customersLimit('postgresql', { cache: true, indexed: true })
