import type { FastifyInstance } from 'fastify'

/** `GET /openapi.json` describes every route in OpenAPI 3.1. */
export default async function openapiDocument (fastify: FastifyInstance) {
  fastify.get('/openapi.json', { schema: { operationId: 'getOpenApiDocument', summary: 'This description', tags: ['discovery'], response: { 200: { type: 'object', additionalProperties: true } } } },
    async (request, reply) => reply.header('Cache-Control', 'no-cache').type('application/json').send(JSON.stringify(fastify.swagger())))
}
