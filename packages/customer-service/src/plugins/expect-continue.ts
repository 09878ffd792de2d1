import fp from 'fastify-plugin'
import type { IncomingMessage, ServerResponse } from 'node:http'

declare module 'fastify' {
  interface FastifyRequest {
    /** Sends `100 Continue` to a client that waits for it before it sends the body. */
    wantBody: () => void
  }
}

/**
 * Answers `Expect: 100-continue` only when the body is wanted: a request that is refused by its head is refused at once,
 * and its body need not be sent (RFC 9110 §10.1.1). Unknown expectations are ignored.
 */
export default fp(async function expectContinue (fastify) {
  const waiting = new WeakMap<IncomingMessage, ServerResponse>()
  const serve = (request: IncomingMessage, response: ServerResponse) => fastify.server.emit('request', request, response)
  // Without a listener, Node.js answers 417 without a body.
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
    // The client may send the body or the next request: the two cannot be told apart.
    if (waiting.has(request.raw)) reply.header('Connection', 'close')
    done()
  })
}, { name: 'expect-continue', fastify: '5.x' })
