import fp from 'fastify-plugin'
import type { IncomingMessage, ServerResponse } from 'node:http'

declare module 'fastify' {
  interface FastifyRequest {
    /** Sends `100 Continue` if the client waits for it. */
    expectBody: () => void
  }
}

/**
 * Defers `100 Continue` until a route reads the body, so that a request can be rejected by its headers, without the body
 * (RFC 9110 §10.1.1). Ignores unknown expectations.
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
  fastify.decorateRequest('expectBody', function () {
    waiting.get(this.raw)?.writeContinue()
    waiting.delete(this.raw)
  })
  fastify.addHook('onSend', (request, reply, payload, done) => {
    // Whether the body or another request follows cannot be distinguished.
    if (waiting.has(request.raw)) reply.header('Connection', 'close')
    done()
  })
}, { name: 'expect-continue', fastify: '5.x' })
