import oneHost from '@frontdesk/service-kit/plugins/one-host'
import fp from 'fastify-plugin'
import { bodyTooLarge, requestMalformed } from '../problems/request.js'

/** Rejects requests by their headers, before any expensive work: several hosts, or a body that is too large. */
export default fp(async function requestLimits (fastify) {
  await fastify.register(oneHost, { error: requestMalformed })

  fastify.addHook('onRequest', ({ headers, routeOptions: { bodyLimit } }, reply, done) => {
    const length = Number(headers['content-length'] ?? 0)
    if (bodyLimit === undefined || length <= bodyLimit) return done()
    done(bodyTooLarge(`The body has ${length} bytes; ${bodyLimit} are allowed.`))
  })
}, { name: 'request-limits', fastify: '5.x', dependencies: ['problems'] })
