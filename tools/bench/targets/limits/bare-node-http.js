import { authorizationLoads } from '../../services/authorization-loads.js'
import { customerLoads } from '../../services/customer-loads.js'
import { program } from '../../services/limits.js'

/** node:http with constant responses. */
export default {
  group: 'limit',
  database: 'none',
  start: context => program('bare-node-http', context),
  workloads: { authorize: authorizationLoads.authorize, get: customerLoads.get }
}
