import { matchesAny } from '@frontdesk/service-kit/etags'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Brand } from '../../settings/brand.js'
import type { Image } from '../../settings/image.js'
import type { Stores } from '../../stores/stores.js'
import { readStylesheet } from './stylesheet.js'

const FOLDER = new URL('../../../../public/', import.meta.url)

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/vnd.microsoft.icon',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8'
}

interface Options {
  basePath: string
  brand: Brand
  clientLogos: Stores['clientLogos']
}

const LOGO = /^[\w-]{43}\.(png|webp)$/

/**
 * `GET /assets/{file}`: the files in `public/`, read once; `GET /favicon.ico`, which browsers request at the origin; and
 * `GET /logos/{name}`.
 */
const assets: FastifyPluginAsync<Options> = async function assets (fastify, { basePath, brand, clientLogos }) {
  for (const name of await readdir(FOLDER)) {
    const content = name === 'style.css' ? await readStylesheet(brand.color) : await readFile(new URL(name, FOLDER))
    const type = types[extname(name)]
    if (type === undefined) throw new Error(`public/${name} has no known media type.`)
    const etag = `"${createHash('sha256').update(content).digest('base64url')}"`
    fastify.get(`${basePath}/assets/${name}`, { schema: { hide: true } }, async (request, reply) => {
      reply.headers({ 'cache-control': 'public, max-age=3600', etag })
      if (matchesAny(request.headers['if-none-match'], etag)) return await reply.code(304).send()
      return await reply.sendDocument(content, type)
    })
  }

  fastify.get<{ Params: { name: string } }>(`${basePath}/logos/:name`, { schema: { hide: true } }, async ({ params: { name } }, reply) => {
    const found = LOGO.test(name) ? await clientLogos.find(name) : null
    return found === null ? reply.callNotFound() : sendImage(reply, found)
  })
  const { logo } = brand
  if (logo !== undefined) fastify.get(`${basePath}/logos/${logo.name}`, { schema: { hide: true } }, (request, reply) => sendImage(reply, logo))

  const icon = await readFile(new URL('favicon.ico', FOLDER))
  fastify.get('/favicon.ico', { schema: { hide: true } }, async (request, reply) =>
    await reply.headers({ 'cache-control': 'public, max-age=86400', 'content-type': 'image/x-icon' }).send(icon))
}
export default assets

/** Sends an image, whose address changes with its content. An SVG that is opened as a page runs no script and loads nothing. */
function sendImage (reply: FastifyReply, { type, content }: Pick<Image, 'type' | 'content'>): FastifyReply {
  return reply.headers({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox"
  }).sendDocument(content, type)
}
