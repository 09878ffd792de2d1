import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyReply {
    /** Sends a document that was serialized once, whatever the route's schema: all responses share the buffer. */
    sendDocument (document: Buffer, type?: string): FastifyReply
  }
}

export default fp(async function documents (fastify) {
  fastify.decorateReply('sendDocument', function (this: FastifyReply, document: Buffer, type = 'application/json; charset=utf-8') {
    return this.type(type).send(document)
  })
}, { name: 'documents', fastify: '5.x' })
