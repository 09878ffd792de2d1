import type { FastifyPluginAsync } from 'fastify'
import { readFile } from 'node:fs/promises'

/** `GET /favicon.ico`, which browsers ask for at the origin whatever a page names. */
const favicon: FastifyPluginAsync = async function favicon (fastify) {
  const icon = await readFile(new URL('../../../../public/favicon.ico', import.meta.url))

  fastify.get('/favicon.ico', { schema: { hide: true } }, async (request, reply) =>
    await reply.headers({ 'cache-control': 'public, max-age=86400', 'content-type': 'image/x-icon' }).send(icon))
}
export default favicon
