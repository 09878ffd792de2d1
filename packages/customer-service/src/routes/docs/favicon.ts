import type { FastifyInstance } from 'fastify'
import { readAsset } from '../../docs/assets.js'

/** `GET /favicon.ico`, which browsers also request if a page links to another icon. */
export default async function favicon (fastify: FastifyInstance) {
  const { content, etag } = await readAsset(new URL('../../../../public/favicon.ico', import.meta.url))

  fastify.get('/favicon.ico', { schema: { hide: true } }, async (request, reply) =>
    await reply.headers({ 'Cache-Control': 'public, max-age=86400', ETag: etag }).type('image/x-icon').send(content))
}
