import { Health } from '@frontdesk/schemas/health'
import type { FastifyInstance } from 'fastify'
import type { Keys } from '../../keys/keys.js'
import type { Revocations } from '../../revocations/revocations.js'
import type { Stores } from '../../stores/open.js'

/** What has to be well for this service to work. */
export interface HealthOptions extends Pick<Stores, 'ping'> {
  /** What access tokens are checked with; `null` where none is needed. */
  keys: Pick<Keys, 'areKnown' | 'fetches'> | null
  /** What was revoked; `null` where nobody tells. */
  revocations: Pick<Revocations, 'areKnown' | 'fetches'> | null
  /** Leaves the routes out of the OpenAPI document, which has them at another address. */
  isCopy: boolean
}

/** `GET /health/live`: the process runs. `GET /health/ready`: send requests here. */
export default async function health (fastify: FastifyInstance, { ping, keys, revocations, isCopy }: HealthOptions) {
  const describe = (operationId: string, summary: string) => ({
    config: { vital: true },
    schema: { operationId, summary, tags: ['operation'], response: { 200: Health, 503: Health }, hide: isCopy }
  })

  fastify.get('/health/live', describe('checkLiveness', 'Whether the process runs'), async () => ({ status: 'ok', checks: {} }))

  fastify.get('/health/ready', describe('checkReadiness', 'Whether requests may be sent here'), async (request, reply) => {
    const checks = {
      database: await ping().catch(() => 'does not answer'),
      keys: keys?.areKnown ?? true ? 'ok' : 'not fetched yet from the authorization server',
      ...(revocations === null ? {} : { revocations: revocations.areKnown ? 'ok' : 'not fetched from the authorization server, or too long ago' }),
      process: fastify.draining ? 'is stopping' : 'ok'
    }
    const isReady = Object.values(checks).every(check => check === 'ok')
    // Told, and no reason to send requests elsewhere: which of the clocks is wrong cannot be known here.
    const clock = fastify.clockFault()
    return await reply.code(isReady ? 200 : 503).send({
      status: isReady ? 'ok' : 'unavailable',
      checks: { ...checks, ...(clock && { clock }) },
      // What the background has seen: nothing is fetched for a probe.
      ...(keys === null ? {} : { details: { keys: keys.fetches, ...(revocations === null ? {} : { revocations: revocations.fetches }) } })
    })
  })
}
