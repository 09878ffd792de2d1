import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.js'
import apiReference from './api-reference.js'
import favicon from './favicon.js'
import forPrograms from './for-programs.js'
import openapiDocument from './openapi-document.js'
import problemPages from './problem-pages.js'

/** The API reference, the OpenAPI document, a page for each kind of problem, and what programs read of them. */
export default async function documentation (fastify: FastifyInstance, { config }: { config: Config }) {
  const { prefix, auth, docs } = config
  await fastify.register(problemPages, { prefix, docs: docs !== null })
  if (docs !== null) await fastify.register(apiReference, { prefix, auth, docs })
  await fastify.register(openapiDocument, { prefix })
  await fastify.register(forPrograms, { config, prefix })
  await fastify.register(favicon)
}
