import type { FastifyPluginAsync } from 'fastify'
import type { Config } from '../../config.js'
import type { Jwks } from '@frontdesk/schemas/jwks'
import type { ResponseType } from '../../response-types/response-type.js'
import type { Stores } from '../../stores/stores.js'
import jwks from './jwks.js'
import leaveImplicit from './leave-implicit.js'
import llmsTxt from './llms-txt.js'
import metadata from './metadata.js'
import openapi from './openapi.js'
import revocations from './revocations.js'

interface Options {
  config: Config
  stores: Stores
  /** The public keys of all tokens: the same object until they change. */
  published: () => Jwks
  responseTypes: readonly ResponseType[]
  basePath: string
}

/** For clients, resource servers and their developers: metadata, keys, revocations, documents, and a guide to leave the implicit grant. */
const discovery: FastifyPluginAsync<Options> = async function discovery (fastify, { config, stores, published, responseTypes, basePath }) {
  await fastify.register(leaveImplicit, { issuer: config.issuer, brand: config.brand, prefix: basePath })
  await fastify.register(jwks, { published, prefix: basePath })
  await fastify.register(revocations, { revocations: stores.revocations, prefix: basePath })
  // Its path begins with /.well-known, before the issuer's path.
  await fastify.register(metadata, { config, basePath, responseTypes })
  await fastify.register(openapi, { prefix: basePath })
  await fastify.register(llmsTxt, { prefix: basePath })
}
export default discovery
