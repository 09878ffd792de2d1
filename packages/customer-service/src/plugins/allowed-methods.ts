import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { ProblemError } from '../problems/define.js'
import { methodNotAllowed, pathUnknown } from '../problems/request.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Methods that each path takes, `OPTIONS` besides; paths are written as routes are. */
    allowedMethods: ReadonlyMap<string, ReadonlySet<string>>
    /** Why a request fits no route: its path is unknown, or its method is not for this path. */
    refuseRoute: (method: string, url: string) => ProblemError
  }
}

/** Answers what fits no route: 404, 405 with `Allow` (RFC 9110 §15.5.6), or 204 with `Allow` and `Accept-Patch` (RFC 5789 §3.1) to `OPTIONS`. */
export default fp(async function allowedMethods (fastify) {
  const paths = new Map<string, Set<string>>()
  const patches = new Map<string, string>()
  fastify.decorate('allowedMethods', paths)
  fastify.addHook('onRoute', ({ url, method, config }) => {
    // The route that @fastify/cors makes.
    if (url === '*') return
    paths.set(url, new Set([...paths.get(url) ?? [], ...[method].flat()]))
    if (config?.acceptPatch !== undefined) patches.set(url, config.acceptPatch)
  })

  fastify.decorate('refuseRoute', (method: string, url: string) => {
    const { Allow } = optionsAt(url) ?? {}
    if (Allow === undefined) return pathUnknown('There is nothing at this path. Compare it with /openapi.json.')
    return methodNotAllowed(`${method} is not for this path. Use one of: ${Allow}.`, { headers: { Allow } })
  })

  fastify.addHook('onRequest', (request, reply, done) => {
    const { method, url } = request
    // Of the server as a whole (RFC 9110 §9.3.7).
    if (method === 'OPTIONS' && url === '*') {
      answerOptions(reply, { Allow: [...new Set([...paths.values()].flatMap(methods => [...methods])), 'OPTIONS'].join(', ') })
      return
    }
    if (fitsRoute(request)) return done()
    const options = method === 'OPTIONS' ? optionsAt(url) ?? preflightOf(reply) : undefined
    if (options === undefined) return done(fastify.refuseRoute(method, url))
    answerOptions(reply, options)
  })

  function optionsAt (url: string) {
    const path = decodeURI(url.replace(/^https?:\/\/[^/]*/i, '').replace(/\?.*/s, ''))
    const [route, methods] = [...paths].find(([route]) => toRegExp(route).test(path)) ?? []
    if (route === undefined || methods === undefined) return undefined
    const acceptPatch = patches.get(route)
    return { Allow: [...methods, 'OPTIONS'].join(', '), ...(acceptPatch === undefined ? {} : { 'Accept-Patch': acceptPatch }) }
  }
}, { name: 'allowed-methods', fastify: '5.x', dependencies: ['problems'] })

/** Of a page that may call: its browser would not send the request, and the page would not see the 404, after a preflight that fails. */
function preflightOf (reply: FastifyReply) {
  return ['access-control-allow-origin', 'access-control-allow-methods'].every(name => reply.hasHeader(name)) ? {} : undefined
}

/** The router takes a doubled slash at the end for an empty parameter. */
function fitsRoute ({ is404, routeOptions, url }: FastifyRequest) {
  return !is404 && routeOptions.url !== '*' && !/\/\/(\?|$)/.test(url)
}

function answerOptions (reply: FastifyReply, options: Record<string, string>) {
  return reply.code(204).headers(options).send()
}

function toRegExp (route: string) {
  const segments = route.replace(/\/$/, '').split('/').map(segment => segment.startsWith(':') ? '[^/]+' : segment.replaceAll('.', '\\.'))
  return new RegExp(`^${segments.join('/')}/?$`)
}
