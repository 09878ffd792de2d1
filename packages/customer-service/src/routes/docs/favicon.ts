import { readAsset } from '@frontdesk/service-kit/pages/asset'
import type { FastifyInstance } from 'fastify'

/** `GET /favicon.ico`, which browsers also request if a page links to another icon. */
export default async function favicon (fastify: FastifyInstance) {
  const icon = await readAsset(new URL('../../../../public/favicon.ico', import.meta.url))

  fastify.get('/favicon.ico', { schema: { hide: true } }, (request, reply) => reply.sendAsset(icon, 'public, max-age=86400'))
}
