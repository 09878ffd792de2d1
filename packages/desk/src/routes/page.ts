import { brandMarkup } from '@frontdesk/service-kit/brand/markup'
import { createAsset, readAsset } from '@frontdesk/service-kit/pages/asset'
import { Eta } from 'eta'
import type { FastifyInstance } from 'fastify'
import { readFile } from 'node:fs/promises'
import type { Config } from '../config.js'
import { readPageFiles } from '../page-files.js'

const VIEW = new URL('../../../views/page.eta', import.meta.url)

/** The files that the view links. */
const LINK = /<%= it\.base %>\/([\w./-]+)"/g

/**
 * `GET /` and `GET /callback`: the page, with its settings. `GET /assets/{version}/{path}`: its files. The version makes them
 * immutable; the files of another version, which a replica may serve during an update, are revalidated.
 */
export default async function page (fastify: FastifyInstance, { config }: { config: Config }) {
  const { brand, issuer, customerUrl, clientId } = config
  const view = await readFile(VIEW, 'utf8')
  const linked = [...view.matchAll(LINK)].map(([, path]) => path!)
  const { files, modules, version } = await readPageFiles(linked, brand.color)
  const base = `/assets/${version}`

  const settings = { issuer, customerUrl, clientId, brand: { name: brand.name, links: brand.links } }
  const shown = {
    base,
    modules,
    brand,
    mark: brandMarkup(brand, `<img src="${base}/icon.svg" alt="" width="24" height="24">`),
    origins: [...new Set([issuer, customerUrl].map(address => new URL(address).origin))],
    settings: JSON.stringify(settings).replaceAll('<', '\\u003c')
  }
  const eta = new Eta()
  const html = createAsset(eta.renderString(view, shown), 'page.html')
  for (const path of ['/', '/callback']) fastify.get(path, (request, reply) => reply.sendAsset(html, 'no-cache'))

  for (const [path, asset] of files) {
    fastify.get<{ Params: { version: string } }>(`/assets/:version/${path}`, ({ params }, reply) =>
      reply.sendAsset(asset, params.version === version ? 'public, max-age=31536000, immutable' : 'no-cache'))
  }
  const { logo } = brand
  if (logo !== undefined) fastify.get(`/logos/${logo.name}`, (request, reply) => reply.sendImage(logo))
  const icon = await readAsset(new URL('../../../public/favicon.ico', import.meta.url))
  fastify.get('/favicon.ico', (request, reply) => reply.sendAsset(icon, 'public, max-age=86400'))
}
