import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** Methods that each path takes; complete once every route is registered. */
    allowedMethods: Map<string, Set<string>>
  }
}

/** Keeps account of the methods of every path. */
export default fp(async function allowedMethods (fastify) {
  fastify.decorate('allowedMethods', new Map<string, Set<string>>())
  fastify.addHook('onRoute', ({ url, method }) => {
    const methods = fastify.allowedMethods.get(url) ?? new Set()
    for (const name of [method].flat()) methods.add(name)
    fastify.allowedMethods.set(url, methods)
  })
}, { name: 'allowed-methods', fastify: '5.x' })
