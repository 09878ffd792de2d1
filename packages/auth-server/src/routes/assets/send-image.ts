import type { FastifyReply } from 'fastify'
import type { Image } from '../../settings/image.js'

/** Sends an image. Its address changes with its content. Opened by its address, an SVG runs no script and fetches nothing. */
export function sendImage (reply: FastifyReply, { type, content }: Pick<Image, 'type' | 'content'>): FastifyReply {
  return reply.headers({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox"
  }).sendDocument(content, type)
}
