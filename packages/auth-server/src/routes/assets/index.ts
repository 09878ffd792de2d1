import type { Brand } from '@frontdesk/service-kit/brand/settings'
import { createAsset, readAsset, readStylesheet } from '@frontdesk/service-kit/pages/asset'
import type { FastifyPluginAsync } from 'fastify'
import { readdir } from 'node:fs/promises'
import type { Stores } from '../../stores/stores.js'

const FOLDER = new URL('../../../../public/', import.meta.url)

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
    const file = new URL(name, FOLDER)
    const asset = name === 'style.css' ? createAsset(await readStylesheet([file], brand.color), name) : await readAsset(file)
    fastify.get(`${basePath}/assets/${name}`, { schema: { hide: true } }, (request, reply) => reply.sendAsset(asset, 'public, max-age=3600'))
  }

  fastify.get<{ Params: { name: string } }>(`${basePath}/logos/:name`, { schema: { hide: true } }, async ({ params: { name } }, reply) => {
    const found = LOGO.test(name) ? await clientLogos.find(name) : null
    return found === null ? reply.callNotFound() : reply.sendImage(found)
  })
  const { logo } = brand
  if (logo !== undefined) fastify.get(`${basePath}/logos/${logo.name}`, { schema: { hide: true } }, (request, reply) => reply.sendImage(logo))

  const icon = await readAsset(new URL('favicon.ico', FOLDER))
  fastify.get('/favicon.ico', { schema: { hide: true } }, (request, reply) => reply.sendAsset(icon, 'public, max-age=86400'))
}
export default assets
