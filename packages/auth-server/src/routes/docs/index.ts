import type { FastifyPluginAsync } from 'fastify'
import type { Config } from '../../config.js'
import leaveImplicit from './leave-implicit.js'
import problemPages from './problem-pages.js'

/** Pages for developers: how to leave the implicit grant, and what each error means. */
const docs: FastifyPluginAsync<{ config: Config }> = async function docs (fastify, { config: { issuer } }) {
  await fastify.register(leaveImplicit, { issuer })
  await fastify.register(problemPages)
}
export default docs
