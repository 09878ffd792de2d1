import { program } from '../../services/limits.js'
import { CALLBACK, DEVICE_CLIENTS, SCOPE, TOKEN_CLIENT } from '../../services/registrations.js'
import { OPENID, tokenLoads } from '../../services/token-loads.js'

const SECRET = 'secret-of-the-limit-alone'

/** Fastify with the token endpoints and the signed-in code flow in memory, ES256. */
export default {
  group: 'limit',
  database: 'memory',
  prepare: async ({ memory }) => {
    memory.set('secret', SECRET)
    for (const scope of [SCOPE, OPENID]) memory.set(`session for ${scope}`, 'session=one')
  },
  start: context => program('hand-written-token', context, {
    CLIENT: TOKEN_CLIENT, DEVICES: DEVICE_CLIENTS.join(), SECRET, CALLBACK, SCOPE, AUDIENCE: context.issuer.audience
  }),
  workloads: tokenLoads
}
