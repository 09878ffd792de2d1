import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyReply {
    /** Sends a document that is the same for every caller: all responses share one buffer, even while clients read slowly. */
    sendDocument (document: Buffer, type?: string): FastifyReply
  }
}

/** Documents that are serialized once and sent often. */
export default fp(async function documents (fastify) {
  fastify.decorateReply('sendDocument', function (this: FastifyReply, document: Buffer, type = 'application/json; charset=utf-8') {
    return this.type(type).send(document)
  })
}, { name: 'documents', fastify: '5.x' })
