import type { FastifyInstance } from 'fastify'

/** `GET /openapi.json` describes every route in OpenAPI 3.1. */
export default async function openapiDocument (fastify: FastifyInstance) {
  let document: Buffer | undefined
  const response = { 200: { type: 'object', additionalProperties: true } }
  const schema = { operationId: 'getOpenApiDocument', summary: 'OpenAPI document', tags: ['discovery'], response }
  fastify.get('/openapi.json', { schema }, async (request, reply) => {
    document ??= Buffer.from(JSON.stringify(fastify.swagger()))
    return await reply.header('Cache-Control', 'no-cache').sendDocument(document)
  })
}
