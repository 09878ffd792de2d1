import type { FastifyInstance } from 'fastify'
import { setTimeout } from 'node:timers/promises'

/** How long load balancers have to notice, in milliseconds; new connections are taken meanwhile. */
const NOTICE = 500
/** After this, connections that still send or read are cut, in milliseconds. */
const PATIENCE = 7_000

/** Stops serving: readiness turns to 503 at once, what is under way is finished, every answer closes its connection. */
export async function stop (fastify: FastifyInstance): Promise<void> {
  fastify.drain()
  fastify.log.info('stopping')
  await setTimeout(NOTICE)
  const cut = setTimeout(PATIENCE, undefined, { ref: false }).then(() => fastify.server.closeAllConnections())
  await Promise.race([fastify.close(), cut.then(() => fastify.close())])
  fastify.log.info('stopped')
}
