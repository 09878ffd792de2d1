import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'

/** The OpenAPI 3.1 document, made from the route schemas. */
const openapi: FastifyPluginAsyncTypebox = async function openapi (fastify) {
  fastify.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
    return reply.send(fastify.swagger())
  })
}
export default openapi
