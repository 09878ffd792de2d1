import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { valuesOf } from '../input/header.js'
import { bodyTooLarge, requestMalformed } from '../problems/request.js'

/** Rest of a refused body that is still read, in bytes: a client that is writing would not see the answer otherwise. */
const DRAIN_LIMIT = 1_048_576

/** What is decided from the head of a request alone, before anything that costs: framing and size. */
export default fp(async function requestLimits (fastify) {
  const { bodyLimit } = fastify.initialConfig

  fastify.addHook('onRequest', (request, reply, done) => {
    if (!hasOneHost(request)) {
      reply.header('Connection', 'close')
      return done(requestMalformed('Send one Host header.'))
    }
    const length = Number(request.headers['content-length'] ?? 0)
    if (bodyLimit !== undefined && length > bodyLimit) {
      if (length > DRAIN_LIMIT) reply.header('Connection', 'close')
      return done(bodyTooLarge(`The body has ${length} bytes; ${bodyLimit} are allowed.`))
    }
    done()
  })
}, { name: 'request-limits', fastify: '5.x', dependencies: ['problems'] })

/** RFC 9112 §3.2. */
function hasOneHost ({ raw }: FastifyRequest) {
  const hosts = valuesOf(raw.rawHeaders, 'host').length
  return hosts === 1 || (hosts === 0 && raw.httpVersion === '1.0')
}
