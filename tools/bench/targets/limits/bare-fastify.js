import { authorizationLoads } from '../../services/authorization-loads.js'
import { customerLoads } from '../../services/customer-loads.js'
import { program } from '../../services/limits.js'

const { get, post, put } = customerLoads

/** Fastify with constant responses. */
export default {
  group: 'limit',
  database: 'none',
  start: context => program('bare-fastify', context),
  workloads: { authorize: authorizationLoads.authorize, get, post, put }
}
