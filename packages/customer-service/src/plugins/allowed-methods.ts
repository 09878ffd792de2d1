import allowedMethods from '@frontdesk/service-kit/plugins/allowed-methods'
import { pathOf } from '@frontdesk/service-kit/path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { ProblemError } from '../problems/define.js'
import { methodNotAllowed, pathUnknown } from '../problems/request.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Why a request fits no route: its path is unknown, or the path does not allow the method. */
    refuseRoute: (method: string, url: string) => ProblemError
  }
}

/**
 * Answers what fits no route: 404, 405 with `Allow` (RFC 9110 §15.5.6), or 204 with `Allow` and `Accept-Patch` (RFC 5789
 * §3.1) to `OPTIONS`.
 */
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
    // Of the server as a whole (RFC 9110 §9.3.7).
    if (method === 'OPTIONS' && url === '*') {
      answerOptions(
        reply,
        { Allow: [...new Set([...fastify.allowedMethods.values()].flatMap(methods => [...methods])), 'OPTIONS'].join(', ') }
      )
      return
    }
    if (fitsRoute(request) && !hasOwnRoute(request)) return done()
    const options = method === 'OPTIONS' ? optionsAt(url) ?? preflightOf(reply) : undefined
    if (options === undefined) return done(fastify.refuseRoute(method, url))
    answerOptions(reply, options)
  })

  /** The router takes a path that has a route of its own, but not for this method, for the parameter of another route. */
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

/** The 404 of a preflight would fail it, and the browser would hide from the page the 404 of the request that follows. */
function preflightOf (reply: FastifyReply) {
  return ['access-control-allow-origin', 'access-control-allow-methods'].every(name => reply.hasHeader(name)) ? {} : undefined
}

/** The router takes a doubled slash at the end for an empty parameter. */
function fitsRoute ({ is404, url }: FastifyRequest) {
  return !is404 && !/\/\/(\?|$)/.test(url)
}

function answerOptions (reply: FastifyReply, options: Record<string, string>) {
  return reply.code(204).headers(options).send()
}
