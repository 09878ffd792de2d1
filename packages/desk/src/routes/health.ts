import { Health } from '@frontdesk/schemas/health'
import type { FastifyInstance } from 'fastify'

/** `GET /health/live`: whether the process runs. `GET /health/ready`: whether to send it requests. */
export default async function health (fastify: FastifyInstance) {
  const options = { config: { vital: true, polled: true }, schema: { response: { 200: Health, 503: Health } } }
  fastify.addHook('onRequest', async (request, reply) => { reply.header('cache-control', 'no-store') })

  fastify.get('/health/live', options, async () => ({ status: 'ok' as const, checks: {} }))

  fastify.get('/health/ready', options, async (request, reply) => {
    const isReady = !fastify.draining
    return await reply.code(isReady ? 200 : 503).send({
      status: isReady ? 'ok' : 'unavailable',
      checks: { process: isReady ? 'ok' : 'is stopping', ...fastify.startNotices }
    })
  })
}
