import { Health } from '@frontdesk/schemas/health'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.js'
import type { Keys } from '../../keys/keys.js'
import type { Revocations } from '../../revocations/revocations.js'
import type { Stores } from '../../stores/open.js'

interface HealthOptions {
  config: Config
  stores: Pick<Stores, 'ping'>
  /** `null`: no tokens are needed. */
  keys: Pick<Keys, 'areKnown' | 'fetches'> | null
  /** `null`: no revocation feed. */
  revocations: Pick<Revocations, 'areKnown' | 'fetches' | 'entries' | 'fault'> | null
}

/** `GET /health/live`: whether the process runs. `GET /health/ready`: whether to send it requests. */
export default async function health (
  fastify: FastifyInstance,
  { config: { prefix }, stores: { ping }, keys, revocations }: HealthOptions
) {
  async function check () {
    return {
      database: await ping().catch(() => 'does not answer'),
      keys: keys?.areKnown ?? true ? 'ok' : 'not fetched yet from the authorization server',
      ...(revocations === null
        ? {}
        : { revocations: revocations.areKnown ? 'ok' : 'not fetched from the authorization server, or too long ago' }),
      process: fastify.draining ? 'is stopping' : 'ok'
    }
  }

  for (const place of new Set(['', prefix])) {
    const describe = (operationId: string, summary: string) => ({
      config: { vital: true, polled: true },
      // To compile the schema would take a tenth of the start.
      serializerCompiler: () => JSON.stringify,
      schema: { operationId, summary, tags: ['operation'], response: { 200: Health, 503: Health }, hide: place !== prefix }
    })

    fastify.get(`${place}/health/live`, describe('checkLiveness', 'Whether the process runs'), async () => ({ status: 'ok', checks: {} }))

    fastify.get(`${place}/health/ready`, describe('checkReadiness', 'Whether requests may be sent here'), async (request, reply) => {
      const checks = await check()
      const isReady = Object.values(checks).every(it => it === 'ok')
      // These leave the service ready: it cannot know which clock is wrong, and new tokens work with any list.
      const clock = fastify.clockFault()
      const list = revocations?.fault ?? null
      return await reply.code(isReady ? 200 : 503).send({
        status: isReady ? 'ok' : 'unavailable',
        checks: { ...checks, ...(clock && { clock }), ...(list && { revocationList: list }), ...fastify.startNotices },
        // State of the background fetches: a probe fetches nothing.
        ...(keys && { details: { keys: keys.fetches, ...(revocations && { revocations: listDetails(revocations) }) } })
      })
    })
  }
}

function listDetails ({ fetches, entries }: NonNullable<HealthOptions['revocations']>) {
  return { ...fetches, entries }
}
