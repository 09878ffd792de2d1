import type { FastifyInstance } from 'fastify'
import { setImmediate, setTimeout } from 'node:timers/promises'

/** How long load balancers have to notice, in milliseconds; new connections are taken meanwhile. */
const NOTICE = 500
/** How long answers are held back, in milliseconds. */
const HOLD = 100
/** After this, connections over which nothing has come are closed, in milliseconds. */
const SILENCE = 1_000
/** After this, connections that still send or read are cut, in milliseconds. */
const PATIENCE = 7_000

/** Stops serving: readiness turns to 503 at once, what is under way is finished, every answer closes its connection. */
export async function stop (fastify: FastifyInstance): Promise<void> {
  fastify.drain()
  await setTimeout(NOTICE)
  // The system resets connections that it has made and this process has not taken yet. A client that waits for an
  // answer makes no new one, and what there are are taken right before setImmediate.
  const release = fastify.holdAnswers()
  await setTimeout(HOLD)
  await setImmediate()
  fastify.server.close()
  release()
  globalThis.setTimeout(() => fastify.closeUnused(), SILENCE).unref()
  globalThis.setTimeout(() => fastify.server.closeAllConnections(), PATIENCE).unref()
  await fastify.close()
}
