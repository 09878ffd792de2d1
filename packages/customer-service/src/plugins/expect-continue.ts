import fp from 'fastify-plugin'
import type { IncomingMessage, ServerResponse } from 'node:http'

declare module 'fastify' {
  interface FastifyRequest {
    /** Asks for the body, of a client that waits to be asked. */
    wantBody: () => void
  }
}

/**
 * Answers `Expect: 100-continue` when a body is wanted: a request that is refused by its head gets its refusal at once
 * and need not send it (RFC 9110 §10.1.1). An expectation that nobody knows is ignored.
 */
export default fp(async function expectContinue (fastify) {
  const waiting = new WeakMap<IncomingMessage, ServerResponse>()
  const serve = (request: IncomingMessage, response: ServerResponse) => fastify.server.emit('request', request, response)
  // Node would answer 417 without saying why.
  fastify.server.on('checkExpectation', serve)
  fastify.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.set(request, response)
    serve(request, response)
  })
  fastify.decorateRequest('wantBody', function () {
    waiting.get(this.raw)?.writeContinue()
    waiting.delete(this.raw)
  })
  fastify.addHook('onSend', (request, reply, payload, done) => {
    // Whether the body follows nobody knows: what comes next on this connection cannot be told from it.
    if (waiting.has(request.raw)) reply.header('Connection', 'close')
    done()
  })
}, { name: 'expect-continue', fastify: '5.x' })
