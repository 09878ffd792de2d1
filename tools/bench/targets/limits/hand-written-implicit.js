import { authorizationLoads } from '../../services/authorization-loads.js'
import { program } from '../../services/limits.js'
import { CALLBACK, CLIENT } from '../../services/registrations.js'

const { account, authorize, consent, flow } = authorizationLoads

/** Fastify with the implicit grant in memory, ES256. */
export default {
  group: 'limit',
  database: 'memory',
  start: context => program('hand-written-implicit', context, { CLIENT, CALLBACK, AUDIENCE: context.issuer.audience }),
  workloads: { account, authorize, consent, flow }
}
