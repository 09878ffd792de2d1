import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { matchesAny } from '../etags.js'
import type { Asset } from '../pages/asset.js'

declare module 'fastify' {
  interface FastifyReply {
    /** Sends a document that was serialized once, whatever the route's schema: all responses share the buffer. */
    sendDocument: (document: Buffer, type?: string) => FastifyReply
    /** Sends a static file, or 304 if the client has it. */
    sendAsset: (asset: Asset, cacheControl: string) => FastifyReply
    /** Sends an image whose address changes with its content. An SVG that is opened as a page runs no script and loads nothing. */
    sendImage: (image: Pick<Asset, 'type' | 'content'>) => FastifyReply
  }
}

export default fp(async function documents (fastify) {
  fastify.decorateReply('sendDocument', function (this: FastifyReply, document: Buffer, type = 'application/json; charset=utf-8') {
    return this.type(type).send(document)
  })

  fastify.decorateReply('sendAsset', function (this: FastifyReply, { content, type, etag }: Asset, cacheControl: string) {
    this.headers({ 'cache-control': cacheControl, etag })
    return matchesAny(this.request.headers['if-none-match'], etag) ? this.code(304).send() : this.sendDocument(content, type)
  })

  fastify.decorateReply('sendImage', function (this: FastifyReply, { type, content }: Pick<Asset, 'type' | 'content'>) {
    return this.headers({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    }).sendDocument(content, type)
  })
}, { name: 'documents', fastify: '5.x' })
