import fp from 'fastify-plugin'
import { hasValidEscapes, pathOf } from '../path.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Methods of each route, by its pattern. */
    allowedMethods: ReadonlyMap<string, ReadonlySet<string>>
    /** The pattern of the routes at a path, with any method; `undefined` if there are none. */
    routeAt: (url: string) => string | undefined
    /** Methods of the routes at a path, for `Allow` (RFC 9110 §10.2.1), `OPTIONS` last. */
    methodsAt: (url: string) => string[]
  }
}

/** Collects the methods of every path, for 405 and `OPTIONS`. Register it before all routes. */
export default fp(async function allowedMethods (fastify) {
  const { ignoreTrailingSlash = false } = fastify.initialConfig.routerOptions ?? {}
  const routes = new Map<string, Set<string>>()

  fastify.addHook('onRoute', ({ url, method }) => {
    // Fastify calls this for GET and HEAD, but at a prefix with a trailing slash for HEAD only.
    const methods = [method].flat().flatMap(it => it === 'HEAD' ? ['GET', it] : [it])
    routes.set(url, new Set([...routes.get(url) ?? [], ...methods]))
  })
  fastify.decorate('allowedMethods', routes)
  fastify.decorate('routeAt', (url: string) => {
    if (!hasValidEscapes(url)) return undefined
    const path = decodeURI(pathOf(url.replace(/^https?:\/\/[^/]*/i, '')))
    const found = [...routes.keys()].filter(route => toRegExp(route, ignoreTrailingSlash).test(path))
    // In the router's order.
    return found.find(route => !route.includes(':')) ?? found[0]
  })
  fastify.decorate('methodsAt', (url: string) => {
    const methods = [...routes.get(fastify.routeAt(url) ?? '') ?? []]
    return methods.filter(method => method !== 'OPTIONS').concat(methods.includes('OPTIONS') ? 'OPTIONS' : [])
  })
}, { name: 'allowed-methods', fastify: '5.x' })

function toRegExp (route: string, ignoreTrailingSlash: boolean): RegExp {
  const path = ignoreTrailingSlash ? route.replace(/\/$/, '') : route
  const segments = path.split('/').map(segment => segment.startsWith(':') ? '[^/]+' : segment.replaceAll('.', '\\.'))
  return new RegExp(`^${segments.join('/')}${ignoreTrailingSlash ? '/?' : ''}$`)
}
