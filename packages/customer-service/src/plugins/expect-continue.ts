import fp from 'fastify-plugin'
import type { IncomingMessage, ServerResponse } from 'node:http'

declare module 'fastify' {
  interface FastifyRequest {
    /** Sends `100 Continue` if the client waits for it. */
    wantBody: () => void
  }
}

/**
 * Defers `100 Continue` until a route reads the body: a request that is rejected by its header fields is rejected at once,
 * without its body (RFC 9110 §10.1.1). Ignores unknown expectations.
 */
export default fp(async function expectContinue (fastify) {
  const waiting = new WeakMap<IncomingMessage, ServerResponse>()
  const serve = (request: IncomingMessage, response: ServerResponse) => fastify.server.emit('request', request, response)
  // Without this listener, Node.js responds with 417 and no body.
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
    // The client may send the body or the next request next, and the two cannot be distinguished.
    if (waiting.has(request.raw)) reply.header('Connection', 'close')
    done()
  })
}, { name: 'expect-continue', fastify: '5.x' })
