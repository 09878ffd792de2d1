import allowedMethods from '@frontdesk/service-kit/plugins/allowed-methods'
import { pathOf } from '@frontdesk/service-kit/path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { ProblemError } from '../problems/define.js'
import { methodNotAllowed, pathUnknown } from '../problems/request.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Makes the error of a request without a route: the path is unknown, or does not allow the method. */
    refuseRoute: (method: string, url: string) => ProblemError
  }
}

/** Responds to requests without a route: 404, 405 with `Allow`, or 204 with `Allow` and `Accept-Patch` to `OPTIONS` (RFC 5789 §3.1). */
export default fp(async function unmatchedRequests (fastify) {
  await fastify.register(allowedMethods)
  const patches = new Map<string, string>()
  fastify.addHook('onRoute', ({ url, config }) => {
    if (config?.acceptPatch !== undefined) patches.set(url, config.acceptPatch)
  })

  fastify.decorate('refuseRoute', (method: string, url: string) => {
    const { Allow } = optionsAt(url) ?? {}
    if (Allow === undefined) return pathUnknown('This path does not exist. Compare it with /openapi.json.')
    return methodNotAllowed(`This path does not support ${method}. Use one of: ${Allow}.`, { headers: { Allow } })
  })

  fastify.addHook('onRequest', (request, reply, done) => {
    const { method, url } = request
    if (method === 'OPTIONS' && url === '*') {
      // The server as a whole (RFC 9110 §9.3.7).
      const methods = new Set([...fastify.allowedMethods.values()].flatMap(methods => [...methods]))
      sendOptions(reply, { Allow: [...methods, 'OPTIONS'].join(', ') })
      return
    }
    if (matchesRoute(request) && !hasOwnRoute(request)) return done()
    const options = method === 'OPTIONS' ? optionsAt(url) ?? preflightOptions(reply) : undefined
    if (options === undefined) return done(fastify.refuseRoute(method, url))
    sendOptions(reply, options)
  })

  /** If a path has its own route, but not for this method, the router matches it with a parameter of another route. */
  function hasOwnRoute ({ routeOptions, url }: FastifyRequest) {
    const path = pathOf(url)
    return routeOptions.url !== path && fastify.allowedMethods.has(path)
  }

  function optionsAt (url: string) {
    const route = fastify.routeAt(url)
    if (route === undefined) return undefined
    const acceptPatch = patches.get(route)
    return {
      Allow: [...fastify.methodsAt(url), 'OPTIONS'].join(', '),
      ...(acceptPatch === undefined ? {} : { 'Accept-Patch': acceptPatch })
    }
  }
}, { name: 'unmatched-requests', fastify: '5.x', dependencies: ['problems'] })

/** With a 404, a preflight would fail, and the page could not see the 404 of its request. */
function preflightOptions (reply: FastifyReply) {
  return ['access-control-allow-origin', 'access-control-allow-methods'].every(name => reply.hasHeader(name)) ? {} : undefined
}

/** For the router, a double slash at the end is an empty parameter. */
function matchesRoute ({ is404, url }: FastifyRequest) {
  return !is404 && !/\/\/(\?|$)/.test(url)
}

function sendOptions (reply: FastifyReply, options: Record<string, string>) {
  return reply.code(204).headers(options).send()
}
