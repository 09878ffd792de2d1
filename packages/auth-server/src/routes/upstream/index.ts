import type { FastifyPluginAsync } from 'fastify'
import callback, { type CallbackOptions } from './callback.js'
import connection, { type ConnectionOptions } from './connection.js'

/** The response of the upstream provider, and the page that connects an account there. */
const upstream: FastifyPluginAsync<CallbackOptions & ConnectionOptions> = async function upstream (fastify, options) {
  await fastify.register(callback, options)
  await fastify.register(connection, options)
}
export default upstream
