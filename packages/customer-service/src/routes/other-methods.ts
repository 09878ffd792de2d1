import { METHODS } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { methodNotAllowed } from '../problems/request.js'

/**
 * `OPTIONS`, and 405 for every method that a path does not take (RFC 9110 §9.3.7, §15.5.6). To be registered last.
 */
export default async function otherMethods (fastify: FastifyInstance) {
  for (const method of METHODS) {
    if (!fastify.supportedMethods.includes(method)) fastify.addHttpMethod(method)
  }
  for (const [url, allowed] of [...fastify.allowedMethods]) {
    if (url === '*') continue
    const allow = [...allowed, 'OPTIONS'].join(', ')
    const others = fastify.supportedMethods.filter(method => !allowed.has(method) && method !== 'OPTIONS')
    const nothing = async () => {}
    // In onRequest, so that no body is read.
    fastify.route({ url, method: others, exposeHeadRoute: false, schema: { hide: true }, handler: nothing, onRequest: async ({ method }) => { throw methodNotAllowed(`${method} is not for this path. Use one of: ${allow}.`, { headers: { Allow: allow } }) } })
    fastify.route({ url, method: 'OPTIONS', schema: { hide: true }, handler: nothing, onRequest: async (request, reply) => reply.code(204).header('Allow', allow).send() })
  }
}
