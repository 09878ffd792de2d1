import fp from 'fastify-plugin'
import type { ImplicitDeprecation } from '../../settings/implicit-deprecation.js'

/** Announces the end of the implicit grant to its tokens: Deprecation (RFC 9745), Sunset (RFC 8594) and a link to the alternative. */
export default fp<ImplicitDeprecation>(async function deprecation (fastify, { deprecatedAt, endsAt, link }) {
  const headers = {
    Deprecation: `@${Math.floor(deprecatedAt.getTime() / 1000)}`,
    ...(endsAt === undefined ? {} : { Sunset: endsAt.toUTCString() })
  }
  const advice = link === undefined ? [] : [`<${link}>; rel="deprecation"; type="text/html"`]
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (request.accessToken?.gty === 'implicit') {
      reply.headers(headers)
      // In addition to the links of the response.
      if (advice.length > 0) reply.header('Link', [reply.getHeader('link') ?? [], advice].flat().join(', '))
    }
    done()
  })
}, { name: 'deprecation', fastify: '5.x', dependencies: ['bearer'] })
