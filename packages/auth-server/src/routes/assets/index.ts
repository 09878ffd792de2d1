import type { FastifyPluginAsync } from 'fastify'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'

const FOLDER = new URL('../../../../public/', import.meta.url)

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/vnd.microsoft.icon',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8'
}

/** `GET /assets/{file}`: the files in `public/`, read once; and `GET /favicon.ico`, which browsers request at the origin. */
const assets: FastifyPluginAsync<{ basePath: string }> = async function assets (fastify, { basePath }) {
  for (const name of await readdir(FOLDER)) {
    const content = await readFile(new URL(name, FOLDER))
    const type = types[extname(name)]
    if (type === undefined) throw new Error(`public/${name} has no known media type.`)
    const etag = `"${createHash('sha256').update(content).digest('base64url')}"`
    fastify.get(`${basePath}/assets/${name}`, { schema: { hide: true } }, async (request, reply) => {
      reply.headers({ 'cache-control': 'public, max-age=3600', etag })
      if (request.headers['if-none-match'] === etag) return await reply.code(304).send()
      return await reply.sendDocument(content, type)
    })
  }

  const icon = await readFile(new URL('favicon.ico', FOLDER))
  fastify.get('/favicon.ico', { schema: { hide: true } }, async (request, reply) =>
    await reply.headers({ 'cache-control': 'public, max-age=86400', 'content-type': 'image/x-icon' }).send(icon))
}
export default assets
