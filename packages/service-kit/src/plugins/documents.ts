import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyReply {
    /** Sends a document that is the same for everyone: all answers share its bytes, also while clients have not read them. */
    sendDocument (document: Buffer, type?: string): FastifyReply
  }
}

/** Documents that are serialized once. */
export default fp(async function documents (fastify) {
  fastify.decorateReply('sendDocument', function (this: FastifyReply, document: Buffer, type = 'application/json; charset=utf-8') {
    return this.type(type).send(document)
  })
}, { name: 'documents', fastify: '5.x' })
