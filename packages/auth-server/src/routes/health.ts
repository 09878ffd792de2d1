import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Health } from '@frontdesk/schemas/health'

/** `/health/live`: the process runs. `/health/ready`: it can serve; 503 when the database is away or the process is about to stop. */
const health: FastifyPluginAsyncTypebox<{ ping: () => Promise<void> }> = async function health (fastify, { ping }) {
  fastify.addHook('onRequest', async (request, reply) => { reply.header('cache-control', 'no-store') })

  fastify.get('/health/live', {
    schema: { summary: 'Whether the process runs', tags: ['Health'], response: { 200: Health } }
  }, async () => ({ status: 'ok' as const, checks: {} }))

  fastify.get('/health/ready', {
    schema: { summary: 'Whether the service can serve', tags: ['Health'], response: { 200: Health, 503: Health } }
  }, async (request, reply) => {
    const database = await ping().then(() => 'ok', () => 'does not answer')
    const ready = database === 'ok' && !fastify.draining
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable', checks: { database, process: fastify.draining ? 'stopping' : 'ok' } })
  })
}
export default health
