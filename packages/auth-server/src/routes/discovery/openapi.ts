import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'

/** The OpenAPI 3.1 document, generated from the route schemas. */
const openapi: FastifyPluginAsyncTypebox = async function openapi (fastify) {
  let document: Buffer | undefined
  fastify.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
    document ??= Buffer.from(JSON.stringify(fastify.swagger()))
    return reply.sendDocument(document)
  })
}
export default openapi
